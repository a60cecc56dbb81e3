#!/usr/bin/env python3
"""Runs every measurement side by side and writes Benchmarks/results.json.

    Benchmarks/run.py [--quick] [--only ID]...

Each row is a ratio of two commands that are run in turn, A B A B, so that what else the machine does hits both; the
row's value is the median of the ratios of neighbours. CPU time is what the kernel charges to the process and its
threads. `--quick` takes few pairs and small populations: it tells whether the measurements work, not what is true.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "Benchmarks"
BUILT = ROOT / ".build" / "bench"
VENV = BUILT / "venv"
SIMPY = "simpy==4.1.2"
PUSHSIM = str(ROOT / ".build/release/pushsim")
BENCH = str(ROOT / ".build/release/pushsim-bench")
COUNTING = ROOT / ".build/counting"
MILLION = "Benchmarks/million_devices.yaml"


def call(*command):
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True, stdout=sys.stderr)


def build():
    BUILT.mkdir(parents=True, exist_ok=True)
    for name, flags in (("reference", []), ("best", ["-DBEST"])):
        call("gcc", "-O3", "-Wall", "-Wextra", *flags, HERE / "push7.c", "-o", BUILT / f"push7_{name}", *LIBRARIES)
    call("gcc", "-O3", "-Wall", "-Wextra", HERE / "draws.c", "-o", BUILT / "draws", *LIBRARIES)
    for product in ("pushsim", "pushsim-bench"):
        call("swift", "build", "--configuration", "release", "--product", product)
    # A build of its own, because counting costs time and belongs to no program that is measured.
    call(
        *("swift", "build", "--configuration", "release", "--product", "pushsim-bench"),
        *("--scratch-path", COUNTING, "-Xcc", "-DPUSHSIM_COUNT_DRAWS"),
    )
    if not (VENV / "bin/python").exists():
        call(sys.executable, "-m", "venv", VENV)
    if subprocess.run([VENV / "bin/python", "-c", "import simpy"], stderr=subprocess.DEVNULL).returncode != 0:
        call(VENV / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", SIMPY)


LIBRARIES = ["-lgsl", "-lgslcblas", "-lm"]


class Cost:
    """What one run of a command took; `work` is by what it is divided."""

    def __init__(self, command, work=1.0):
        started = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        self.output = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        # 1 and 75: an expectation that the scenario states fails or is undecided, which says nothing about the time.
        if process.returncode not in (0, 1, 75):
            sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
        self.wall = (time.monotonic() - started) / work
        self.cpu = (usage.ru_utime + usage.ru_stime) / work
        self.kilobytes = usage.ru_maxrss


class Row:
    def __init__(self, id, what, ratios, target, note=""):
        self.id, self.what, self.target, self.note = id, what, target, note
        self.median, self.min, self.max = statistics.median(ratios), min(ratios), max(ratios)
        self.met = self.median <= target
        print(f"  {id}: {self.median:.4g} [{self.min:.4g}..{self.max:.4g}], target {target}", file=sys.stderr)

    def json(self):
        return {
            **{"id": self.id, "ratio_median": round(self.median, 5), "ratio_min": round(self.min, 5)},
            **{"ratio_max": round(self.max, 5), "target": self.target, "met": self.met},
        }


def pairs(count, a, b, value=lambda cost: cost.cpu):
    """The ratios A / B of runs in turn; `a` and `b` run once each when called."""
    return [value(a()) / value(b()) for _ in range(count)]


def push7(program, devices, days=7):
    command = [*program, "push7"] if program == [BENCH] else program
    command = [*command, "--devices", str(devices), "--days", str(days), "--seed", "1"]
    return lambda: Cost(command, work=devices * days)


def run(scenario, *arguments, threads=1, work=1.0):
    command = [PUSHSIM, "run", scenario, "--threads", str(threads), "--quiet", *map(str, arguments)]
    return lambda: Cost(command, work)


def scenario_days(scenario, devices, replications):
    output = Cost(
        [PUSHSIM, "run", scenario, "--quiet", "--json", "-", "--devices", str(devices), "--replications", str(replications)]
    ).output
    result = json.loads(output)
    days = (result["provenance"]["duration_s"] + result["provenance"]["warm_up_s"]) / 86400
    strategies = result["strategies"].values()
    return days * devices * replications, sum(strategy["sent"] for strategy in strategies)


def device_log(path, megabytes, others):
    """The logs of Console among the samples, again and again, with so many lines of other processes for each of theirs."""
    samples = sorted((ROOT / "Tests/DeviceLogsTests/Fixtures").glob("*.log"))
    text = b"".join(file.read_bytes() for file in samples if b"SpringBoard\t" in file.read_bytes())
    processes = ["locationd", "kernel", "wifid", "CommCenter", "backboardd", "mediaserverd", "SpringBoard", "dasd"]
    line = "default\t11:44:50.{:06d}+0100\t{}\tSending event {} to client {}: flags=0x{:x}, state unchanged\n"
    noise = "".join(line.format(n, processes[n % 8], n, n % 97, n) for n in range(text.count(b"\n") * others)).encode()
    with open(path, "wb") as file:
        while file.tell() < megabytes * 1_000_000:
            file.write(text)
            file.write(noise)


def measure(options):
    few = options.quick
    count = 2 if few else options.pairs
    devices = 500 if few else 5000
    rows, notes = [], []

    def wanted(*ids):
        return not options.only or any(id in options.only for id in ids)

    reference, best = [str(BUILT / "push7_reference")], [str(BUILT / "push7_best")]
    simpy = [str(VENV / "bin/python"), str(HERE / "push7_simpy.py")]
    swift = push7([BENCH], devices)
    if wanted("push7_c_reference"):
        rows.append(
            Row("push7_c_reference", "kernel, CPU, C reference", pairs(count, swift, push7(reference, devices)), 0.70)
        )
    if wanted("push7_c_best"):
        rows.append(Row("push7_c_best", "kernel, CPU, best C", pairs(count, swift, push7(best, devices)), 1.15))
    if wanted("push7_simpy"):
        # In the one environment that SimPy's users write, its cost per device grows with the devices: 200 are few, and
        # 1,000 are what a small study has.
        ratios = pairs(count, swift, push7(simpy, 50 if few else 1000))
        rows.append(Row("push7_simpy", "kernel, CPU, SimPy with 1,000 devices", ratios, 0.01))
        fewer = 20 if few else 200
        ratios = pairs(count, swift, push7(simpy, fewer))
        notes.append(f"push7 against SimPy with {fewer} devices: {statistics.median(ratios):.4f}")
    if wanted("push7_draws"):
        command = [str(BUILT / "draws"), "push7", "--devices", str(devices), "--days", "7"]
        ratios = pairs(count, swift, lambda: Cost(command, work=devices * 7))
        notes.append(f"push7 against drawing its variates alone (mt19937, GSL): {statistics.median(ratios):.3f}")

    for name, path in (
        ("send_rate", "Scenarios/send_rate.yaml"),
        ("news_feed", "Scenarios/news_feed.yaml"),
        ("million_devices", MILLION),
    ):
        id = f"draws_{name}"
        if not wanted(id):
            continue
        size = (50, 2) if few else (10_000, 2) if name == "million_devices" else (250, 2)
        sizes = ["--devices", str(size[0]), "--replications", str(size[1])]
        counts = json.loads(Cost([str(COUNTING / "release/pushsim-bench"), "draws-of", path, *sizes]).output)
        arguments = [str(part) for kind in counts.items() if kind[1] > 0 for part in kind]
        alone = [str(BUILT / "draws"), *arguments]
        costs = []

        def product():
            costs.append(run(path, *sizes)())
            return costs[-1]

        rows.append(Row(id, f"{name}, CPU, its draws alone", pairs(count, product, lambda: Cost(alone)), 3))
        days, sent = scenario_days(path, *size)
        cpu = statistics.median(cost.cpu for cost in costs)
        notes.append(f"{name}: {days / cpu:,.0f} device-days per CPU-second, {cpu / sent * 1e9:,.0f} ns per push")

    news = "Scenarios/news_feed.yaml"
    size = ["--devices", 50 if few else 400, "--replications", 2]
    if wanted("five_strategies"):
        names = ["push_each_update", "push_every_30_min", "push_hourly", "push_every_2_h", "on_open_only"]
        together, ratios = run(news, *size), []
        for _ in range(count):
            alone = sum(run(news, *size, "--strategy", n)().cpu for n in names)
            ratios.append(together().cpu / alone)
        rows.append(Row("five_strategies", "five strategies, CPU, each alone", ratios, 0.6))
    if wanted("two_threads"):
        # Long enough that the start of the program, which one thread does, is a small part.
        long = ["--devices", 200 if few else 1000, "--replications", 4]
        ratios = pairs(count, run(news, *long, threads=2), run(news, *long, threads=1), lambda cost: cost.wall)
        rows.append(Row("two_threads", "two threads, wall, one thread", ratios, 0.54))
    if wanted("ten_times_the_days"):
        fewer = ["--devices", 50 if few else 200, "--replications", 2, "--set", "experiment.warm_up=0 d", "--set"]
        long = run(news, *fewer, "experiment.duration=140 d")
        ratios = pairs(count, long, run(news, *fewer, "experiment.duration=14 d"))
        rows.append(Row("ten_times_the_days", "ten times the days, CPU", ratios, 10.5))

    if wanted("memory", "cpu_per_device"):
        # An hour each: what is asked is how devices add up, not days. Sends by the clock, because updates of the content
        # are drawn once a replication, and one replication of many devices may have more of them than many of few.
        many = 100_000 if few else 1_000_000
        brief = ["--strategy", "push_every_30_min", "--set", "experiment.duration=1 h", "--devices"]
        replications = 10 if few else 200
        large = run(MILLION, *brief, many, "--replications", 1, work=many)
        small = run(MILLION, *brief, 1000, "--replications", replications, work=1000 * replications)
        once = run(MILLION, *brief, 1000, "--replications", 1)
        memory, cpu, megabytes = [], [], []
        for _ in range(1 if few else count):
            a, b = large(), small()
            cpu.append(a.cpu / b.cpu)
            memory.append(a.kilobytes / once().kilobytes)
            megabytes.append(a.kilobytes / 1024)
        rows.append(Row("memory", f"resident memory, {many:,} devices, 1,000", memory, 1.1))
        rows.append(Row("memory_megabytes", f"resident memory of {many:,} devices, MB", megabytes, 100))
        rows.append(Row("cpu_per_device", f"CPU per device, {many:,} devices, 1,000", cpu, 1.05))

    if wanted("diagnose"):
        log = BUILT / "device.log"
        device_log(log, 20 if few else 200, 20)
        costs = []

        def diagnose():
            costs.append(Cost([PUSHSIM, "diagnose", str(log), "--json", "-"]))
            return costs[-1]

        grep = ["env", "LC_ALL=C", "grep", "-c", "pushLaunch", str(log)]
        rows.append(Row("diagnose", "a device's log, CPU, `grep -c`", pairs(count, diagnose, lambda: Cost(grep)), 5))
        megabytes = [cost.kilobytes / 1024 for cost in costs]
        rows.append(Row("diagnose_megabytes", "resident memory of `pushsim diagnose`, MB", megabytes, 100))
        log.unlink()

    if wanted("check_milliseconds"):
        paths = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "Scenarios").glob("*.yaml"))
        medians = []
        for path in paths:
            walls = [Cost([PUSHSIM, "check", path]).wall * 1000 for _ in range(3 if few else 11)]
            medians.append(statistics.median(walls))
        rows.append(Row("check_milliseconds", "`pushsim check` of a shipped scenario, ms", medians, 30))
    return rows, notes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few pairs, small populations; results are not kept")
    parser.add_argument("--pairs", type=int, default=7, help="alternating pairs per row (default: 7)")
    parser.add_argument("--only", action="append", metavar="ID", help="this row only; it replaces the one kept")
    parser.add_argument("--no-build", action="store_true", help="measure what is built already")
    options = parser.parse_args()
    if not options.no_build:
        build()
    rows, notes = measure(options)
    width = max([len(row.what) for row in rows], default=0)
    print(f"\n{'what, measure, against':{width}}   median   [min .. max]   target")
    for row in rows:
        verdict = "met" if row.met else "MISSED"
        print(f"{row.what:{width}}   {row.median:.4g}   [{row.min:.4g} .. {row.max:.4g}]   {row.target:g}   {verdict}")
    for note in notes:
        print(note)
    if not options.quick:
        kept = HERE / "results.json"
        results = {row["id"]: row for row in (json.loads(kept.read_text()) if options.only and kept.exists() else [])}
        results.update({row.id: row.json() for row in rows})
        text = ",\n".join("  " + json.dumps(row) for row in results.values())
        kept.write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
