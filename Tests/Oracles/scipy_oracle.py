"""Intervals and constants as SciPy and statsmodels compute them, for Tests/OutputAnalysisTests/OracleTests.swift.

    python3 -m venv oracle && oracle/bin/pip install scipy statsmodels
    oracle/bin/python Tests/Oracles/scipy_oracle.py > Tests/OutputAnalysisTests/Fixtures/scipy.json

The data are written out in the fixture, so the tests need neither Python nor a generator of random numbers.
"""
import json
import platform

import numpy
import scipy
import statsmodels
from scipy import optimize, stats
from statsmodels.stats.weightstats import DescrStatsW

generator = numpy.random.default_rng(20260101)


def interval(values, confidence):
    low, high = DescrStatsW(values).tconfint_mean(alpha=1 - confidence)
    other = stats.t.interval(confidence, len(values) - 1, loc=numpy.mean(values), scale=stats.sem(values))
    assert numpy.allclose((low, high), other, rtol=1e-12)
    return [float(low), float(high)]


def samples():
    yield "normal", generator.normal(10, 3, 10)
    yield "two values", generator.normal(0, 1, 2)
    yield "shares near 1", generator.beta(200, 3, 25)
    yield "skewed", generator.exponential(5, 40)
    yield "far from 0", 1e6 + generator.normal(0, 0.01, 12)


means = [
    {"name": name, "values": list(map(float, values)), "confidence": confidence,
     "mean": float(numpy.mean(values)), "interval": interval(values, confidence)}
    for name, values in samples() for confidence in (0.9, 0.95, 0.999)
]

comparisons = []
for count, family in [(5, 1), (10, 3), (20, 10), (50, 45)]:
    shared = generator.normal(100, 20, count)
    a = shared + generator.normal(1, 1, count)
    b = shared + generator.normal(0, 2, count)
    test = stats.ttest_rel(a, b)
    single = test.confidence_interval(0.95)
    joint = test.confidence_interval(1 - 0.05 / family)
    comparisons.append({
        "a": list(map(float, a)), "b": list(map(float, b)), "family": family,
        "difference": float(numpy.mean(a - b)), "interval": [float(single.low), float(single.high)],
        "joint": [float(joint.low), float(joint.high)],
        "variance_reduction": float((numpy.var(a, ddof=1) + numpy.var(b, ddof=1)) / numpy.var(a - b, ddof=1)),
    })


def eta(systems, confidence, first_stage):
    """The root of Kim and Nelson's g for c = 1, from the definition and not from its closed form."""
    goal = (1 - confidence) / (systems - 1)

    def g(x):
        return 0.5 * (1 + 2 * x) ** (-(first_stage - 1) / 2) - goal

    return float(optimize.brentq(g, 0, 1e6, xtol=1e-14))


etas = [
    {"systems": systems, "confidence": confidence, "first_stage": first_stage,
     "eta": eta(systems, confidence, first_stage)}
    for systems in (2, 5, 20) for confidence in (0.9, 0.95, 0.99) for first_stage in (10, 20, 50)
]

print(json.dumps({
    "made_by": "Tests/Oracles/scipy_oracle.py with SciPy %s, statsmodels %s, NumPy %s, Python %s" % (
        scipy.__version__, statsmodels.__version__, numpy.__version__, platform.python_version()),
    "means": means, "comparisons": comparisons, "etas": etas,
}, separators=(",", ":")).replace('],"', '],\n"').replace('},{', '},\n{'))
