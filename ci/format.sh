#!/usr/bin/env bash
# Formatting is the formatter's.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo fmt --all --check
