#!/usr/bin/env python3
"""Kills stored sweeps at random moments and looks whether they go on as if nothing had happened.

    Tests/EndToEndTests/kill_test.py --pushsim .build/release/pushsim --rounds 20

Each round begins a sweep with a new file of results, kills it (SIGKILL) after a random time, and starts it again until
it ends. After each kill the file has to be sound (PRAGMA integrity_check), and the end has to be the same bytes of
table, CSV and JSON as of a sweep that nobody disturbed and that kept nothing. A last part lets several writers use one
new file at once. Prints a line for each round; exit status 1 after the first that fails. Runs in the package's root.
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


def command(program, folder, values, store):
    """A small sweep; its CSV and JSON go into the folder, its table to standard output."""
    line = [program, "sweep", "Scenarios/news_feed.yaml", "--over", f"{PATH}={values}"]
    line += ["--strategy", "push_hourly", "--strategy", "on_open_only", "--devices", "12", "--replications", "3"]
    line += ["--set", "experiment.duration=1 d", "--set", "experiment.warm_up=6 h", "--threads", "1"]
    line += ["--csv", os.path.join(folder, "sweep.csv"), "--json", os.path.join(folder, "sweep.json")]
    return line + (["--store", store] if store else [])


def outputs(folder, table):
    found = [table]
    for name in ["sweep.csv", "sweep.json"]:
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            found.append(file.read())
        os.remove(path)
    return found


def undisturbed(program, folder, values):
    begin = time.monotonic()
    done = subprocess.run(command(program, folder, values, None), capture_output=True, check=True)
    return outputs(folder, done.stdout), time.monotonic() - begin


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


def round_of_kills(program, expected, duration, randomness):
    kills = 0
    continued = 0
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "results.sqlite")
        while True:
            process = subprocess.Popen(
                command(program, folder, FIRST, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            # After some kills the sweep may run to its end, so that a round ends.
            wait = randomness.uniform(0, duration) if kills < 6 else None
            try:
                table, errors = process.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                process.kill()
                _, errors = process.communicate()
                kills += 1
                check(store)
                table = None
            kept = re.search(rb"(\d+) of \d+ replications are kept", errors)
            continued += kept is not None
            if table is None:
                continue
            assert process.returncode == 0, errors.decode()
            check(store)
            assert outputs(folder, table) == expected, "the result differs from that of an undisturbed sweep"
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
            assert outputs(own, table) == references[values], "writers disturb each other"
        assert check(store) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pushsim", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the moments; the machine's load moves them too")
    arguments = parser.parse_args()
    randomness = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        first, duration = undisturbed(arguments.pushsim, folder, FIRST)
        second, _ = undisturbed(arguments.pushsim, folder, SECOND)
    total = [0, 0]
    for number in range(arguments.rounds):
        kills, continued = round_of_kills(arguments.pushsim, first, duration, randomness)
        total = [total[0] + kills, total[1] + continued]
        print(f"round {number + 1}: {kills} kills, {continued} starts that went on; same bytes")
    several_writers(arguments.pushsim, {FIRST: first, SECOND: second})
    print(f"{total[0]} kills, {total[1]} continuations; three writers at once; all the same bytes")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        print(f"kill test: {error}", file=sys.stderr)
        sys.exit(1)
