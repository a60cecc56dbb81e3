#!/usr/bin/env python3
"""Counts the instructions of the hot paths with callgrind and compares them with Benchmarks/baseline.json.

    Benchmarks/instructions.py            fails when a count has grown by more than a tenth
    Benchmarks/instructions.py --refresh  writes the counts as the new baseline

Instructions do not depend on what else the machine does, so this can fail a change where time cannot. A path's count
is that of N turns less that of none, divided by N: the start of the program cancels out.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "Benchmarks/baseline.json"
BENCH = ROOT / ".build/release/pushsim-bench"
TOLERANCE = 0.10

# name: arguments, how the number of turns is given, turns
PATHS = {
    "queue_push_pop": (["queue"], "--turns", 20_000),
    "slots_next": (["slots"], "--turns", 20_000),
    "streams": (["streams"], "--turns", 10_000),
    "decide_all_factors": (["decide"], "--turns", 10_000),
    "life": (["life", "Benchmarks/instructions.yaml"], "--turns", 40),
    "life_and_play": (["device", "Benchmarks/instructions.yaml"], "--turns", 40),
    "decode_scenario": (["decode", "Scenarios/send_rate.yaml"], "--turns", 3),
    "push7_device_week": (["push7"], "--devices", 20),
}

# The C library chooses among variants of exp, log and memcpy by the processor; without these it takes the same ones on
# every x86-64. Addresses are fixed and hashing is not seeded, so that tables collide alike in every run.
FIXED = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX,-FMA,-FMA4,-BMI2,-ERMS,-SSE4_2,-SSE4_1,-SSSE3",
    "SWIFT_DETERMINISTIC_HASHING": "1",
}


def instructions(program, arguments):
    with tempfile.NamedTemporaryFile(suffix=".callgrind") as out:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", str(program), *arguments],
            cwd=ROOT, env={**os.environ, **FIXED}, capture_output=True, text=True,
        )
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"instructions: {' '.join(arguments)} under valgrind failed:\n{run.stderr}")
    return int(found.group(1))


def measure():
    with tempfile.TemporaryDirectory() as directory:
        # Valgrind cannot read the debug information that the Swift compiler writes, and needs none to count.
        program = Path(directory) / "pushsim-bench"
        subprocess.run(["strip", "--strip-debug", "-o", program, BENCH], check=True)

        def path(item):
            name, (arguments, option, turns) = item
            some, none = (instructions(program, [*arguments, option, str(n)]) for n in (turns, 0))
            return name, round((some - none) / turns)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(pool.map(path, PATHS.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refresh", action="store_true", help="write the counts as the new baseline")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("instructions: valgrind is missing; run Scripts/setup.sh valgrind")
    if not BENCH.exists():
        sys.exit("instructions: build first: swift build --configuration release --product pushsim-bench")
    counts = measure()
    if options.refresh:
        BASELINE.write_text(json.dumps(counts, indent=2) + "\n")
        return
    baseline = json.loads(BASELINE.read_text())
    grown = []
    print("instructions a turn          now     baseline   change")
    for name, now in counts.items():
        before = baseline.get(name)
        change = now / before - 1 if before else float("inf")
        print(f"{name:20} {now:11,} {before or 0:12,} {change:+8.1%}")
        if change > TOLERANCE:
            grown.append(name)
    if grown:
        sys.exit(
            f"instructions: {', '.join(grown)}: more than {TOLERANCE:.0%} above Benchmarks/baseline.json.\n"
            "If the work is worth it, run `Benchmarks/instructions.py --refresh` and give the reason in the commit."
        )


if __name__ == "__main__":
    main()
