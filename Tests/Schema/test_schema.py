#!/usr/bin/env python3
"""The JSON Schemas that pushsim prints, against the files that it accepts and refuses.

The decoder has the last word: every file that comes with pushsim has to fit its schema, and every malformed fixture of
the decoder's tests has to be refused by it too, except those below, each with the reason why a schema cannot see the
mistake.

Usage: test_schema.py PUSHSIM, with the packages of requirements.txt.
"""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALID = ROOT / "Tests/Schema/valid"
INVALID = ROOT / "Tests/ScenarioDecodingTests/Fixtures/Invalid"

# Mistakes that a schema cannot see: why, and the fixtures.
EXCEPTIONS = {
    name: reason
    for reason, names in {
        "a rule about the YAML text, which a schema never sees": "anchor duplicate-key duplicate-strategy",
        "one of its keys in `set` is written twice, nested and with dots": "policy-parameter-twice",
        "compares two values": """precision-most-below-least expect-least-above-most expect-within-swapped lognormal-quantiles-swapped
            send-jitter-too-long send-times-equal send-times-not-ascending time-of-day-not-ascending uniform-swapped
            updates-at-server-order updates-not-ascending""",
        "adds values up": "shares-do-not-add-up shares-of-classes updates-daily-all-zero",
        "what a payload and an extension have to show depends on several keys":
            "alert-shows-nothing extension-of-nothing",
        "depends on a key elsewhere in the scenario": """alert-unacknowledged-alone each-update-without-content
            comparison-without-baseline precision-without-content selection-of-one activity-without-type""",
        "a name that stands elsewhere in the scenario": "baseline-unknown expect-strategy-unknown precision-strategy-unknown",
        "two policies are the same": "policy-twice policy-twice-changed",
        "looks for a file": """csv-missing updates-csv-missing-file policy-unknown population-base-unknown
            population-file-missing population-unknown scripted-base-unknown""",
        "the unit follows from the metric": "expect-energy-bare expect-unit precision-unit",
        "a bound of a value with a unit, which the description says":
            "confidence-one payload-too-large",
        "what values a distribution gives": "duration-can-be-negative policy-prior-range",
        "a rule of one family of distributions": "lognormal-sigma-negative",
        "a whole number of 64 bits": "seed-too-large",
    }.items()
    for name in names.split()
}


class Loader(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors and check-jsonschema read it: `on`, `yes`, `07:00` and `2020-01-01` are texts."""

    yaml_implicit_resolvers = {}


for tag, expression, first in [
    ("null", r"(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"[-+]?[0-9]+$", list("-+0123456789")),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
]:
    # The first resolver that fits wins, so that whole numbers stay whole.
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(expression), first)


def plain(value):
    """What JSON has of it: keys are texts, as every reader makes them before a schema sees them."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json.dumps(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def load(path, loader):
    return plain(yaml.load(path.read_bytes(), loader))


def strict(schema):
    """The same, refusing members that the schema does not name: then a field that is missing in it is found."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        made["additionalProperties"] = False
    return made


def results(pushsim):
    """Results of every kind against the schema of results."""
    text = subprocess.run([pushsim, "schema", "result"], check=True, capture_output=True, text=True).stdout
    schema = json.loads(text)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(strict(schema))
    failures = []
    small = ["--devices", "10", "--replications", "2", "--json", "-", "--quiet", "--set", "experiment.duration=2 d"]
    for arguments in [
        ["news_feed.yaml"],
        ["news_feed.yaml", "--policy", "guide", "--policy", "evidence"],
        ["incoming_calls.yaml"],
        ["offline_reading.yaml", "--set", "experiment.uncertainty={samples: 3, replications: 2}"],
        ["migrate_fetch_to_tasks.yaml"],
    ]:
        command = [pushsim, "run", ROOT / "Scenarios" / arguments[0], *arguments[1:], *small]
        result = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        error = jsonschema.exceptions.best_match(validator.iter_errors(result))
        if error:
            failures.append(f"the result of {' '.join(arguments)}: {error.json_path}: {error.message[:300]}")
        del result["provenance" if "provenance" in result else "runs"]
        if validator.is_valid(result):
            failures.append(f"the result of {' '.join(arguments)}: the schema takes it without its provenance")
    return failures


def main(pushsim):
    validators = {}
    for kind in ["scenario", "population", "policy"]:
        text = subprocess.run([pushsim, "schema", kind], check=True, capture_output=True, text=True).stdout
        schema = json.loads(text)
        jsonschema.Draft7Validator.check_schema(schema)
        validators[kind] = jsonschema.Draft7Validator(schema)

    failures = []
    valid = 0
    for kind, files in [
        ("scenario", [*ROOT.glob("Scenarios/*.yaml"), *ROOT.glob("Scenarios/validation/*.yaml"),
                      *ROOT.glob("Benchmarks/*.yaml"), *VALID.glob("*.yaml")]),
        ("population", ROOT.glob("Scenarios/populations/*.yaml")),
        ("policy", ROOT.glob("Scenarios/policies/*.yaml")),
    ]:
        for path in sorted(files):
            valid += 1
            # YAML 1.1 as well, where `on` is true: some editors and scripts read it so.
            for name, loader in [("1.2", Loader), ("1.1", yaml.SafeLoader)]:
                error = jsonschema.exceptions.best_match(validators[kind].iter_errors(load(path, loader)))
                if error:
                    failures.append(f"{path.relative_to(ROOT)} (YAML {name}): {error.json_path}: {error.message[:300]}")

    failures += results(pushsim)

    check = subprocess.run([pushsim, "check", *VALID.glob("*.yaml")], capture_output=True, text=True)
    if check.returncode:
        failures.append(f"the decoder refuses what the schema has to take:\n{check.stderr}")

    # Those that the decoder refuses; the last word is its.
    check = subprocess.run([pushsim, "check", *sorted(map(str, INVALID.glob("*.yaml")))], capture_output=True, text=True)
    sound = {pathlib.Path(line.split(": ")[0]).stem for line in check.stdout.splitlines()}
    refused = 0
    used = set()
    for path in sorted(INVALID.glob("*.yaml")):
        if path.stem in sound:
            continue
        try:
            value = load(path, Loader)
        except (yaml.YAMLError, ValueError):
            continue
        if not validators["scenario"].is_valid(value):
            refused += 1
            if path.stem in EXCEPTIONS:
                failures.append(f"{path.stem}: is refused and needs no exception")
        elif path.stem in EXCEPTIONS:
            used.add(path.stem)
        else:
            failures.append(f"{path.stem}: the schema accepts it, and no exception says why")
    if refused < 100:
        failures.append(f"only {refused} malformed fixtures were refused: are they where they should be?")

    print(f"{valid} valid files, {refused} malformed ones refused, {len(used)} that only the decoder refuses")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
