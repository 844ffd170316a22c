#!/usr/bin/env bash
# Prints the folder of the built binaries: that which EVENHAND_BIN names, else they are built now.
set -euo pipefail
if [ -n "${EVENHAND_BIN:-}" ]; then
  [ -x "$EVENHAND_BIN/retune" ] || { echo "built: $EVENHAND_BIN holds no binaries" >&2; exit 3; }
  realpath "$EVENHAND_BIN"
  exit
fi
cd "$(dirname "$0")/.."
cargo build --release --quiet --workspace --bins >&2
realpath "${CARGO_TARGET_DIR:-target}/release"
