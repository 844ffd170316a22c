#!/usr/bin/env bash
# Regenerates every table from its recorded inputs and compares the bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo run --release --quiet -p evenhand-calibrate --bin calibrate -- check --deep
