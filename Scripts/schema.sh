#!/usr/bin/env bash
# The JSON Schemas against the files that pushsim accepts and refuses. Needs PyPI once, for a validator; about 10 s on a
# fresh machine, 5 s later. The program is the one that was built last, or the one in $PUSHSIM.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=.build/schema-venv
requirements=Tests/Schema/requirements.txt
if ! cmp -s "$requirements" "$environment/installed.txt"; then
  # Debian's python3 does without until asked.
  python3 -c 'import ensurepip' 2>/dev/null || Scripts/setup.sh python3-venv
  rm -rf "$environment"
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$requirements"
  cp "$requirements" "$environment/installed.txt"
fi
exec "$environment/bin/python" Tests/Schema/test_schema.py "${PUSHSIM:-.build/debug/pushsim}"
