#!/usr/bin/env python3
"""Writes Tests/OutputAnalysisTests/Fixtures/lifelines.csv: what lifelines estimates of samples made here.

    python3 -m venv VENV && VENV/bin/pip install lifelines==0.30.3
    VENV/bin/python Tests/Oracles/lifelines_oracle.py

The tests read the file and need no Python; run this again only to change the samples. A row is an observation with the
estimates at its time:

    sample, time, end (0: censored), the incidence of ends 1 and 2 (AalenJohansenFitter), the share without any end
    (KaplanMeierFitter)

The times of a sample differ, because AalenJohansenFitter
moves equal ones at random.
"""

import csv
import math
import random
import warnings
from pathlib import Path

import lifelines
from lifelines import AalenJohansenFitter, KaplanMeierFitter

OUT = Path(__file__).resolve().parent.parent / "OutputAnalysisTests/Fixtures/lifelines.csv"

# name: seed, units, rates of the two ends and of censoring
SAMPLES = {
    "uncensored": (1, 40, 1.0, 0.5, 0.0),
    "half_censored": (2, 60, 0.6, 0.4, 1.0),
    "rare_end": (3, 80, 0.05, 1.0, 0.3),
}


def sample(seed, units, *rates):
    """Times of three decimals, all different, and the end that comes first: 0 is censoring."""
    draw = random.Random(seed)
    rows = {}
    while len(rows) < units:
        times = [draw.expovariate(rate) if rate else math.inf for rate in rates]
        first = min(range(3), key=times.__getitem__)
        time = round(times[first], 3)
        if time > 0 and time not in rows:
            rows[time] = (first + 1) % 3
    return sorted(rows.items())


def main():
    warnings.simplefilter("ignore")
    with OUT.open("w", newline="") as file:
        file.write(f"# Made by Tests/Oracles/lifelines_oracle.py with lifelines {lifelines.__version__}.\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["sample", "time", "end", "incidence_1", "incidence_2", "waiting"])
        for name, parameters in SAMPLES.items():
            rows = sample(*parameters)
            times = [time for time, _ in rows]
            ends = [end for _, end in rows]
            fits = [AalenJohansenFitter().fit(times, ends, event_of_interest=end) for end in (1, 2)]
            kaplan_meier = KaplanMeierFitter().fit(times, [end > 0 for end in ends])
            waiting = kaplan_meier.survival_function_["KM_estimate"]
            for time, end in rows:
                shares = [fit.cumulative_density_.loc[time].iloc[0] for fit in fits] + [waiting.loc[time]]
                writer.writerow([name, repr(time), end] + [repr(float(share)) for share in shares])


if __name__ == "__main__":
    main()
