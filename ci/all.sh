#!/usr/bin/env bash
# Every check that is quick enough for each commit, in the order of how soon each fails.
set -euo pipefail
cd "$(dirname "$0")"

for check in format tidy graph lint artifacts replay; do
  echo "== $check"
  ./"$check".sh
done
