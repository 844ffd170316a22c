#!/usr/bin/env bash
# Clippy over every target of every member, warnings denied.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo clippy --workspace --all-targets --release -- -D warnings
