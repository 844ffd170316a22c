#!/usr/bin/env bash
# The ledger of looks at held-out results only grows: its lines in the base branch are the first lines here, unchanged
# and in their order.
#
# usage: ci/ledger.sh [BASE]
#
# BASE is a commit of the base branch. Left out, it is $EVENHAND_BASE, else where this branch left origin/main; on main
# itself it is the commit before. Without any of these there is nothing to compare with, which is said; the ledger's
# own links are checked all the same.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(ci/built.sh)
ledger=experiments/ledger.jsonl
given=${1:-${EVENHAND_BASE:-}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head=$(git rev-parse HEAD)
if [ -n "$given" ]; then
  git rev-parse --verify --quiet "$given^{commit}" >/dev/null || {
    echo "ledger: there is no commit $given to compare with" >&2
    exit 3
  }
  # The base branch may have gone on since: what counts is what this branch began with.
  base=$(git merge-base "$given" HEAD) || { echo "ledger: $given has no history in common with this" >&2; exit 3; }
else
  base=$(git merge-base origin/main HEAD 2>/dev/null) || base=
  if [ -z "$base" ] || [ "$base" = "$head" ]; then
    base=$(git rev-parse --verify --quiet HEAD^) || base=
  fi
fi

: >"$work/base.jsonl"
if [ -z "$base" ]; then
  echo "ledger: no base to compare with (no origin/main and no commit before this one); its own links alone are checked"
elif git cat-file -e "$base:$ledger" 2>/dev/null; then
  git show "$base:$ledger" >"$work/base.jsonl"
  echo "ledger: compared with ${base:0:12}"
else
  echo "ledger: ${base:0:12} has none"
fi
if [ ! -e "$ledger" ]; then
  [ -s "$work/base.jsonl" ] || { echo "ledger: there is none yet"; exit 0; }
  echo "ledger: $ledger was taken out" >&2
  exit 1
fi
status=0
"$bin/store" check-ledger "$work/base.jsonl" "$ledger" || status=$?
[ "$status" = 0 ] || echo "ledger: two branches' ledgers are merged by \`store merge-ledger\` (experiments/README.md)" >&2
exit "$status"
