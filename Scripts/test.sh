#!/usr/bin/env bash
# Every check, the fast ones first. Each step prints the command that reruns it alone.
set -euo pipefail
cd "$(dirname "$0")/.."

# A crash prints its trap and ends; without this the backtracer can outlive a closed pipe by minutes.
export SWIFT_BACKTRACE=enable=no

step() {
  printf '\n== %s\n   %s\n' "$1" "${*:2}"
  local start=$SECONDS
  "${@:2}" </dev/null || {
    printf '\n== %s FAILED\n   rerun: %s\n' "$1" "${*:2}" >&2
    exit 1
  }
  printf '   done in %d s\n' "$((SECONDS - start))"
}

# An import that Package.swift does not declare builds or not depending on the order of building, unless checked.
checked=(--explicit-target-dependency-import-check error)

step "set-up" Scripts/setup.sh
step "format and source rules" Scripts/lint.sh
step "build" swift build --build-tests "${checked[@]}"
step "schema" Scripts/schema.sh
step "tests" swift test --disable-xctest "${checked[@]}"
step "commands of the guide" Scripts/guide.sh
step "pages in a browser" Scripts/browser-tests.sh
printf '\nall checks passed\n'
