#!/usr/bin/env bash
# Plays recorded held-out cells of each frozen artifact again and compares their digests, so that a
# record cannot be written by hand. One cell of each, drawn by the candidate's digest; with `all`
# (nightly) every cell against a simple style.
#
# usage: ci/replay.sh [all]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(ci/built.sh)
which=(--one-cell)
case "${1:-}" in
  "") ;;
  all) which=() ;;
  *) echo "usage: ci/replay.sh [all]" >&2; exit 3 ;;
esac
for weights in tables/*/*/weights.json; do
  experiment=$(sed -n 's/^  "experiment": "\(.*\)",$/\1/p' "$weights")
  "$bin/validate" "experiments/$experiment.toml" --replay ${which[@]+"${which[@]}"}
done
