#!/usr/bin/env bash
# Generated files are in step with their generators: every table's schema, checksum and estimator
# fingerprint. Regenerating them byte for byte is `ci/nightly-deep.sh`.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo run --release --quiet -p evenhand-calibrate --bin calibrate -- check
