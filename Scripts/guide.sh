#!/usr/bin/env bash
# Runs the commands of Documentation/Guide.md as a reader would, in an empty folder, with the program that is built
# (.build/debug/pushsim, or the one in $PUSHSIM).
set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath "${PUSHSIM:-.build/debug/pushsim}")
guide=$PWD/Documentation/Guide.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/bin" "$work/folder"
ln -s "$program" "$work/bin/pushsim"
sed -n '/^```sh$/,/^```$/{/^```/!p;}' "$guide" >"$work/commands.sh"
grep -q '^pushsim run' "$work/commands.sh" || {
  echo "guide: no commands found in Documentation/Guide.md" >&2
  exit 1
}

cd "$work/folder"
PATH="$work/bin:$PATH" bash -eu -o pipefail "$work/commands.sh" >"$work/output" 2>&1 || {
  status=$?
  cat "$work/output" >&2
  echo "guide: a command of Documentation/Guide.md failed with status $status" >&2
  exit 1
}
for file in first/report.html own/result.json again/summary.md compared/compare.html junit.xml; do
  [ -s "$file" ] || {
    echo "guide: $file was not written" >&2
    exit 1
  }
done
