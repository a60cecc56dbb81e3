#!/usr/bin/env bash
# Format, and rules about the source tree that the compiler does not know.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0

# Prints what must not be there, if it is.
forbid() {
  local why=$1 pattern=$2
  shift 2
  if grep -rnE --include='*.swift' "$pattern" "$@"; then
    echo "lint: $why" >&2
    status=1
  fi
}

swift format lint --strict --parallel --recursive Sources Tests Benchmarks Package.swift || status=1

forbid "Sources do without Foundation: it quadruples the start-up time (Decision 0001)" \
  '^ *((public|package|internal|private|@preconcurrency) )*import Foundation' Sources Benchmarks
forbid "draws come from named streams only (Decision 0004)" \
  '\.random\(|SystemRandomNumberGenerator|\.shuffled\(\)|\.randomElement\(\)' Sources Benchmarks
forbid "the streams of a device are named in DrawName.swift: two of the same name draw the same number" \
  '\.[a-zA-Z]+, item:' Sources/PushModel --exclude=DrawName.swift --exclude=Parameterised.swift
forbid "the policy is pure: it imports Quantities and nothing else (Decision 0001)" \
  '^ *((public|package|internal|private|@preconcurrency|@testable) )*import (EventKernel|Distributions|PushModel|Glibc|C[A-Z])' Sources/PushPolicy

# A source that a parameter, a factor, a validation test or the model's description cites must be explained.
for id in $(grep -rhoE '\b(C[0-4]-[0-9]{2}|R-[0-9]{2,3}|[ABDNPSTVW][0-9]{1,2})\b' \
  Scenarios Sources/PushPolicy Tests/ValidationTests Documentation/Model.md | sort -u); do
  if ! grep -qE "^\| $id \|" Documentation/Sources.md; then
    echo "lint: $id is cited, but Documentation/Sources.md does not explain it" >&2
    status=1
  fi
done

for row in $(grep -rhoE '\brow [0-9]+' Scenarios | sort -u | tr -d 'row '); do
  if ! grep -qE "^\| $row \|" Documentation/Sources.md; then
    echo "lint: row $row is cited, but Documentation/Sources.md does not explain it" >&2
    status=1
  fi
done

# Functions of at most 70 lines, files of at most 400.
python3 Scripts/sizes.py || status=1

for script in Benchmarks/*.py Scripts/*.py Tests/*/*.py; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$script" || status=1
done

for script in Scripts/*.sh .ci/run; do bash -n "$script" || status=1; done

exit "$status"
