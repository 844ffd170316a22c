#!/usr/bin/env bash
# Plays the recorded held-out cells of each frozen artifact again and compares their digests, so
# that a record cannot be written by hand.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet -p evenhand-validate
for weights in tables/*/*/weights.json; do
  experiment=$(sed -n 's/^  "experiment": "\(.*\)",$/\1/p' "$weights")
  target/release/validate "experiments/$experiment.toml" --replay
done
