#!/usr/bin/env bash
# What this checkout changes against a base, as one page for a review.
#
# usage: ci/review.sh BASE [DIR]      BASE: a commit of the base branch; DIR: where page.md goes [default: out]
#
# Exit code 0 when the page was made, whatever it says; its first line names the verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
given=${1:?usage: ci/review.sh BASE [DIR]}
out=${2:-out}
bin=$(ci/built.sh)
base=$(git merge-base "$given" HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/base"
git archive "$base" | tar -x -C "$work/base"
status=0
(cd "$work" && ln -s "$OLDPWD" head && "$bin/diff" base head --format markdown) >"$work/page" || status=$?
case "$status" in
  0) verdict="Every record holds." ;;
  1) verdict="**A record does not hold, or is missing.**" ;;
  2) verdict="**A record is inconclusive.**" ;;
  4) verdict="**A run on record is invalid.**" ;;
  *) echo "review: diff failed with $status" >&2; exit "$status" ;;
esac
if grep -q '^no change' "$work/page"; then
  cat "$work/page"
else
  echo "$verdict"
  echo
  cat "$work/page"
fi >"$out/page.md"
head -n 1 "$out/page.md"
