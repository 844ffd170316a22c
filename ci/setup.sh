#!/usr/bin/env bash
# Installs what the checks need and a fresh machine may lack: the toolchain's formatter and linter.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo >/dev/null || {
  echo "setup: cargo is missing; install Rust $(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml) first" >&2
  exit 1
}
for tool in fmt clippy; do
  cargo "$tool" --version >/dev/null 2>&1 || rustup component add "${tool/fmt/rustfmt}"
done
