#!/usr/bin/env bash
# Makes Reports/ anew: the summary of each shipped scenario at the scenario's own size, the whole page of a few, and the
# index; and the outputs in Documentation/Questions.md. The program is .build/release/pushsim, or the one in $PUSHSIM. Reports/README.md says when to run this.
set -euo pipefail
cd "$(dirname "$0")/.."

program=${PUSHSIM:-.build/release/pushsim}
# They are large. The README's question with all that a page shows; claims of the guides and what becomes of them;
# two policies that disagree, on calls rather than on background work.
pages=(news_feed send_rate incoming_calls)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for scenario in Scenarios/*.yaml; do
  name=$(basename "$scenario" .yaml)
  status=0
  "$program" run "$scenario" --quiet --output "$work/$name" || status=$?
  # A claim that was missed or is undecided (1, 75) is an answer too.
  case $status in 0 | 1 | 75) ;; *) exit "$status" ;; esac
  echo "$name: $SECONDS s"
done

# Nothing is touched before everything is there; what has lost its scenario goes.
rm -f Reports/*.md Reports/*.html
for scenario in Scenarios/*.yaml; do
  name=$(basename "$scenario" .yaml)
  cp "$work/$name/summary.md" "Reports/$name.md"
done
for name in "${pages[@]}"; do cp "$work/$name/report.html" "Reports/$name.html"; done

{
  cat <<'HEAD'
# Reports

What the shipped [scenarios](../Scenarios/README.md) come to. `make reports` writes everything in this folder, this page
included; nothing is written by hand. Below stand, for each question and policy, the first sentences of the report's answer;
the reports have intervals, strategies side by side and what is assumed. Every number is an output of the model under its
assumptions, no measurement of Apple's system.

Three scenarios have their whole page too, to be downloaded and opened in a browser: `news_feed` (freshness against energy,
and single devices' days), `send_rate` (claims of the guides, and what the budget does to them) and `incoming_calls` (two
policies that disagree).

`make run` leaves these files alone: it writes all files of a result into `Reports/news_feed/`, which git ignores.

**When a report is stale.** A report belongs to a version of the program, a format of results, a seed, sizes, and the text of
its scenario and of every policy, population and table that this reads; the last are what the SHA-256 is of.
`swift test --filter CommittedReports` compares them with the files as they are, without simulating, and fails for a
report that is stale or missing. It cannot see a change of the program that moves numbers within a version: who makes one
runs `make reports`, and names what moved under *Changed results* in the [changelog](../CHANGELOG.md).
HEAD
  for scenario in Scenarios/*.yaml; do
    name=$(basename "$scenario" .yaml)
    page=
    [ ! -e "Reports/$name.html" ] || page=" ([page]($name.html))"
    printf '\n## [%s](%s.md)%s\n\n' "$name" "$name" "$page"
    # The question, the first sentences of each policy's answer, and the provenance.
    awk '
      NR == 3 { print "**" $0 "**"; print "" }
      /^### Policy / { policy = substr($0, 12) ": "; answers = 0; tables = 0 }
      /^\|/ { tables = 1 }
      /^- / && !tables && ++answers <= 2 { print "- " policy substr($0, 3) }
      /^Provenance: / { print ""; print substr($0, 13) }' "Reports/$name.md"
  done
} >Reports/README.md

Scripts/questions.py "$program"
