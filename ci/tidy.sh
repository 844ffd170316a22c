#!/usr/bin/env bash
# The shape of the house: what stands at the top, how long a file may be, that every crate has its
# line on the architecture page.
set -euo pipefail
cd "$(dirname "$0")/.."
fail=0
complain() { echo "tidy: $*" >&2; fail=1; }

while read -r entry; do
  case "$entry" in
    Cargo.toml|Cargo.lock|clippy.toml|rust-toolchain.toml|README.md|crates|tables|experiments|ci|tests|.*) ;;
    *) complain "unexpected at the top: $entry" ;;
  esac
done < <(git ls-files | cut -d/ -f1 | sort -u)

while read -r file; do
  lines=$(wc -l <"$file")
  [ "$lines" -le 800 ] || complain "$file has $lines lines; 800 is the most a hand-written file may have"
done < <(git ls-files '*.rs' '*.sh' '*.md')

for folder in crates/*/; do
  name=$(basename "$folder")
  grep -q "^| \`$name\`" crates/README.md || complain "crates/README.md has no line for $name"
  [ "$(sed -n 's/^name = "\(.*\)"/\1/p' "$folder/Cargo.toml" | head -1)" = "evenhand-$name" ] ||
    complain "$folder is not the package evenhand-$name"
done

# The generic crates never name a game: the dispatch of `cli` and the table of `bot` do, tests may.
if git grep -nE '\b(lexio|Lexio|daifugo|Daifugo|hoola|Hoola)\b' -- \
    crates/{contract,artifact,stats,store,sim,calibrate,tune,validate,freeze,report,diff,lab,serve,retune}/src \
    ':!*/tests.rs' | grep -vE ':[0-9]+:\s*//|--game |(experiments|tables)/lexio' ; then
  complain "a generic crate names a game (above)"
fi
exit "$fail"
