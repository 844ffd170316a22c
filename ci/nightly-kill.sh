#!/usr/bin/env bash
# Kills `retune` on the quick spec at random moments, resumes with another worker count each time,
# and compares what it leaves with an undisturbed run's, byte for byte.
#
# usage: ci/nightly-kill.sh [KILLS] [SPEC]
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-50}
spec=${2:-experiments/lexio-quick.toml}
binary=$(ci/built.sh)/retune
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a run leaves for people and for later steps, in a fixed order. Journals and locks differ by
# how the work was cut, objects must not.
contents() { (cd "$1" && find objects actions -type f | sort | xargs sha256sum); }

start=$(date +%s%N)
"$binary" "$spec" --store "$work/calm" >"$work/calm.out"
took=$(( ($(date +%s%N) - start) / 1000000 ))
contents "$work/calm" >"$work/calm.sum"
echo "undisturbed: ${took} ms"

done_kills=0
round=0
while [ "$done_kills" -lt "$kills" ]; do
  round=$((round + 1))
  rm -rf "$work/storm"
  while :; do
    workers=$((RANDOM % 4 + 1))
    "$binary" "$spec" --store "$work/storm" --workers "$workers" >"$work/storm.out" 2>"$work/storm.err" &
    pid=$!
    # A moment within about a third of the undisturbed time, so that runs are cut several times.
    sleep "$(awk -v ms="$took" -v r="$RANDOM" 'BEGIN { printf "%.3f", ms * (r / 32768) / 3000 }')"
    if kill -9 "$pid" 2>/dev/null; then
      wait "$pid" 2>/dev/null || true
      done_kills=$((done_kills + 1))
      [ "$done_kills" -lt "$kills" ] || {
        "$binary" "$spec" --store "$work/storm" --workers 2 >"$work/storm.out"
        break
      }
    else
      wait "$pid"
      break
    fi
  done
  contents "$work/storm" >"$work/storm.sum"
  diff "$work/calm.sum" "$work/storm.sum" || {
    echo "a killed and resumed run differs from the undisturbed one (round $round)" >&2
    exit 1
  }
done
echo "$done_kills kills in $round runs: the same bytes each time"
