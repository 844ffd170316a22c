#!/usr/bin/env bash
# Regenerates every table from its recorded inputs and compares the bytes; plays every recorded
# held-out cell against a simple style again and compares the digests.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo run --release --quiet -p evenhand-calibrate --bin calibrate -- check --deep
ci/replay.sh all
