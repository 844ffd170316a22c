#!/usr/bin/env bash
# Who may stand on whom. Allow-lists, not deny-lists: what is not listed is refused.
set -euo pipefail
cd "$(dirname "$0")/.."
fail=0

# What a server embeds, with default and with all features.
for features in "" "--all-features"; do
  # shellcheck disable=SC2086 # no feature flag means no argument
  found=$(cargo tree -p evenhand-bot -e normal --prefix none --format '{lib}' $features | sed 's/ .*//' | sort -u | sed '/^$/d')
  if extra=$(comm -23 <(echo "$found") <(grep -v '^#' ci/graph-bot.txt | sort -u)) && [ -n "$extra" ]; then
    echo "graph: evenhand-bot ${features:-with default features} stands on crates that ci/graph-bot.txt does not allow:" >&2
    echo "$extra" >&2
    fail=1
  fi
done

# Our own arrows, and the one home of each heavy library.
cargo metadata --format-version 1 --no-deps | python3 ci/graph.py ci/graph-edges.txt || fail=1
exit "$fail"
