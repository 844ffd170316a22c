#!/usr/bin/env bash
# Draws every kept report, the made-up one and a page of `diff` in a real browser (ci/report-browser.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(ci/built.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ci/sample.sh "$work/sample"
mkdir -p "$work/none/tables"
"$bin/diff" "$work/none" . --format html >"$work/diff.html" || [ $? -le 2 ]
mapfile -t kept < <(git ls-files 'experiments/*/report.html')
ci/report-browser.sh "$work/sample/report.html" "$work/diff.html" "${kept[@]}"
