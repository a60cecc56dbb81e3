#!/usr/bin/env bash
# Opens reports in Chromium, as their readers do. Installs Chromium and the Python packages that drive it, if missing.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh chromium fonts-dejavu-core libxml2-utils python3 python3-venv

# The program of the other tests; these need no speed.
program=$(swift build --show-bin-path)/pushsim
[ -x "$program" ] || swift build --product pushsim --explicit-target-dependency-import-check error

# The versions that the tests were written with.
packages=(playwright==1.65.2 axe-playwright-python==0.1.8)
environment=.build/browser-tests
if ! "$environment/bin/python" -c 'import axe_playwright_python, playwright' 2>/dev/null; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
fi

output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
"$environment/bin/python" Tests/Browser/test_report.py "$program" "$output"
for page in "$output"/*/*.html; do xmllint --noout --nonet --huge "$page"; done
