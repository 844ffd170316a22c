#!/usr/bin/env bash
# Publishes what ci/retune.sh left in DIR: the record of attempts, and, where something was gained, one pull request: a
# new one, or the one that is open already. Without a gain nobody hears of it.
#
# usage: ci/open-change.sh DIR [BASE]      BASE: the branch to change [default: main]
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(realpath "${1:?usage: ci/open-change.sh DIR [BASE]}")
base=${2:-main}
if [ -e "$dir/attempts.bundle" ]; then
  git fetch -q "$dir/attempts.bundle" retune-ledger
  # The record only grows: a push that would drop a line of it is refused.
  git push -q origin FETCH_HEAD:refs/heads/retune-ledger
fi
[ -e "$dir/change.bundle" ] || { echo "nothing gained: nothing to open"; exit 0; }
git fetch -q "$dir/change.bundle" retune
git push -q --force origin FETCH_HEAD:refs/heads/retune
python3 ci/flow.py cut "$dir/page.md" >"$dir/body.md"
number=$(gh pr list --head retune --base "$base" --state open --json number --jq '.[0].number // empty')
if [ -n "$number" ]; then
  gh pr edit "$number" --title "$(cat "$dir/title")" --body-file "$dir/body.md"
else
  gh pr create --head retune --base "$base" --title "$(cat "$dir/title")" --body-file "$dir/body.md"
fi
