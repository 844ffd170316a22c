#!/usr/bin/env bash
# Writes a made-up report, with every kind of picture, and a results file of extreme values into a folder.
#
# usage: ci/sample.sh DIR
set -euo pipefail
out=$(realpath -m "${1:?usage: ci/sample.sh DIR}")
cd "$(dirname "$0")/.."
cargo build --release --quiet --workspace --example sample
"${CARGO_TARGET_DIR:-target}/release/examples/sample" "$out"
