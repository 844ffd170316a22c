#!/usr/bin/env bash
# Every check that is quick enough for each commit, in the order of how soon each fails.
set -euo pipefail
cd "$(dirname "$0")"

for check in format tidy scripts graph lint ledger artifacts replay test/ledger test/flows parquet pages; do
  echo "== $check"
  start=$SECONDS
  ./"$check".sh
  echo "== $check: $((SECONDS - start)) s"
done
