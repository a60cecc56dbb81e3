#!/usr/bin/env python3
"""Kills stored studies at random moments and looks whether they go on as if nothing had happened.

    Tests/EndToEndTests/kill_test.py --pushsim .build/release/pushsim --rounds 20

Each round takes a sweep, a run with a study of uncertainty and a study of sensitivity. It begins each with a new file of
results, kills it (SIGKILL) after a random time, and starts it again until it ends. After each kill the file has to be
sound (PRAGMA integrity_check), and the end has to be the same bytes of text, CSV and JSON as of a study that nobody
disturbed and that kept nothing. A last part lets several writers use one new file at once. Prints a line for each round; exit status 1 after the first that fails. Runs in the package's root.
"""

import argparse
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

PATH = "strategies.push_hourly.background_push.send.every"
FIRST = "20 min,30 min,40 min,1 h,80 min,2 h,3 h,4 h"
SECOND = "1 h,80 min,2 h,3 h,4 h,6 h,8 h"


STRATEGIES = ["--strategy", "push_hourly", "--strategy", "on_open_only"]
SMALL = ["--set", "experiment.duration=1 d", "--set", "experiment.warm_up=6 h", "--threads", "1"]
# By the name of a study: its command, and the files that it writes into the current folder besides.
STUDIES = {
    "run": (["run", "Scenarios/news_feed.yaml", "--devices", "8", "--replications", "2", "--set",
             "experiment.uncertainty={samples: 16, replications: 2}"] + STRATEGIES + SMALL, ["--json"]),
    "sensitivity": (["sensitivity", "Scenarios/news_feed.yaml", "--metric", "delivered", "--devices", "8",
                     "--replications", "2", "--trajectories", "2", "--samples", "2",
                     "--parameter", "policy.hourly_budget.*"] + SMALL, ["--json"]),
}


def sweep(values):
    """The name of a small sweep."""
    STUDIES[values] = (["sweep", "Scenarios/news_feed.yaml", "--over", f"{PATH}={values}", "--devices", "12",
                        "--replications", "3"] + STRATEGIES + SMALL, ["--csv", "--json"])
    return values


def command(program, folder, study, store):
    """What to run: files go into the folder, the text to standard output."""
    words, files = STUDIES[study]
    line = [program] + words
    for option in files:
        line += [option, os.path.join(folder, option[2:])]
    return line + (["--store", store] if store else [])


def outputs(folder, study, text):
    found = [text]
    for option in STUDIES[study][1]:
        path = os.path.join(folder, option[2:])
        with open(path, "rb") as file:
            found.append(file.read())
        os.remove(path)
    return found


def undisturbed(program, folder, study):
    """What it comes to without a store, and how long it takes with one."""
    done = subprocess.run(command(program, folder, study, None), capture_output=True, check=True)
    expected = outputs(folder, study, done.stdout)
    begin = time.monotonic()
    store = os.path.join(folder, study[:3] + ".sqlite")
    subprocess.run(command(program, folder, study, store), capture_output=True, check=True)
    return expected, time.monotonic() - begin


def check(store):
    """The file is sound, and how many values it keeps; nothing if the kill came before its tables."""
    if not os.path.exists(store):
        return 0
    connection = sqlite3.connect(store)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            return 0
        # A block is kept whole: every replication of a simulation has the same number of series.
        counts = connection.execute(
            "SELECT count(*) FROM replication_values GROUP BY simulation, replication").fetchall()
        assert len(set(counts)) <= 1, f"parts of replications are kept: {counts}"
        return sum(count for (count,) in counts)
    finally:
        connection.close()


def round_of_kills(program, study, expected, duration, randomness, most):
    kills = 0
    continued = 0
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "results.sqlite")
        while True:
            process = subprocess.Popen(
                command(program, folder, study, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            # After some kills the study may run to its end, so that a round ends.
            wait = randomness.uniform(0, duration) if kills < most else None
            try:
                text, errors = process.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                process.kill()
                _, errors = process.communicate()
                kills += 1
                check(store)
                text = None
            kept = re.search(rb"\d+( of \d+)? replications are kept", errors)
            continued += kept is not None
            if text is None:
                continue
            assert process.returncode == 0, errors.decode()
            check(store)
            assert outputs(folder, study, text) == expected, f"the {study} differs from an undisturbed one"
            return kills, continued


def several_writers(program, references):
    """Two of the same sweep and one that shares some of its points, all at once on a file that is not there yet."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "results.sqlite")
        writers = []
        for number, values in enumerate([FIRST, FIRST, SECOND]):
            own = os.path.join(folder, str(number))
            os.mkdir(own)
            writers.append((values, own, subprocess.Popen(
                command(program, own, values, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE)))
        for values, own, process in writers:
            table, errors = process.communicate(timeout=300)
            assert process.returncode == 0, errors.decode()
            assert outputs(own, values, table) == references[values], "writers disturb each other"
        assert check(store) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pushsim", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--kills", type=int, default=6, help="most of them in a round of a study")
    parser.add_argument("--seed", type=int, default=1, help="of the moments; the machine's load moves them too")
    arguments = parser.parse_args()
    randomness = random.Random(arguments.seed)
    expected = {}
    with tempfile.TemporaryDirectory() as folder:
        for study in ["run", "sensitivity", sweep(FIRST), sweep(SECOND)]:
            expected[study] = undisturbed(arguments.pushsim, folder, study)
    total = [0, 0]
    for number in range(arguments.rounds):
        of_round = [0, 0]
        for study in [FIRST, "run", "sensitivity"]:
            counts = round_of_kills(arguments.pushsim, study, *expected[study], randomness, arguments.kills)
            of_round = [a + b for a, b in zip(of_round, counts)]
        total = [a + b for a, b in zip(total, of_round)]
        print(f"round {number + 1}: {of_round[0]} kills, {of_round[1]} starts that went on; same bytes", flush=True)
    several_writers(arguments.pushsim, {study: result for study, (result, _) in expected.items()})
    print(f"{total[0]} kills, {total[1]} continuations; three writers at once; all the same bytes")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        print(f"kill test: {error}", file=sys.stderr)
        sys.exit(1)
