#!/usr/bin/env bash
# Retunes experiments and leaves a change only where something is gained. Nothing is pushed: ci/open-change.sh does that.
#
# usage: ci/retune.sh --salt TEXT --out DIR [--specs "SPEC ..."]
#
# Works in the checkout it stands in, which must be clean, and leaves it as it was. A stale table is made again first:
# it is what the search plays with. Held-out seeds are minted with the salt (such as run-17), so that what is trusted was
# validated afresh; a candidate that failed in an earlier such run is not tried again. Every attempt goes on record on
# the branch `retune-ledger`, which the next run counts from, whether or not anything was gained.
#
# It leaves branches, and in DIR what hands them on:
#   retune-ledger, attempts.bundle   the ledger with every attempt; where there was a new one
#   retune, change.bundle            what was gained, frozen; only where something was
#   page.md, title                   what that changes, for its pull request
#
# Exit codes: 0 done, whatever came out; 1 a table is stale and nothing was gained that replaces it, or the records do
# not hold what was frozen; 3 and above: it failed.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { echo "usage: ci/retune.sh --salt TEXT --out DIR [--specs \"SPEC ...\"]" >&2; exit 3; }
salt='' out='' specs=''
while [ $# -gt 0 ]; do
  case "$1" in
    --salt) salt=${2:?}; shift 2 ;;
    --out) out=${2:?}; shift 2 ;;
    --specs) specs=${2-}; shift 2 ;;
    *) usage ;;
  esac
done
[ -n "$salt" ] && [ -n "$out" ] || usage
[ -z "$(git status --porcelain)" ] || { echo "retune: the checkout is not clean" >&2; exit 3; }
bin=$(ci/built.sh)
mkdir -p "$out"
out=$(realpath "$out")
rm -f "$out"/{attempts.bundle,change.bundle,page.md,title}
store=${EVENHAND_STORE:-$PWD/.evenhand}
ledger=experiments/ledger.jsonl
[ -n "$specs" ] || specs=$(grep -lE '^kind *= *"full"' experiments/*.toml || true)
[ -n "$specs" ] || { echo "no experiment is a full run: nothing to do"; exit 0; }

work=$(mktemp -d)
base=$(git rev-parse HEAD)
here=$(git symbolic-ref --quiet --short HEAD || true)
restore() {
  git reset -q --hard "$base"
  git clean -qfd tables experiments 2>/dev/null || true
  [ -z "$here" ] || git switch -q "$here"
  rm -rf "$work"
}
trap restore EXIT
mkdir "$work/base"
git archive "$base" | tar -x -C "$work/base"
git switch -q --detach "$base"
identity=(-c "user.name=retune" -c "user.email=retune@users.noreply.github.com")

# Attempts of earlier runs count.
parents=(-p "$base")
if git fetch -q origin retune-ledger 2>/dev/null; then
  earlier=$(git rev-parse FETCH_HEAD)
  parents=(-p "$earlier" -p "$base")
  git show "$(git merge-base "$earlier" "$base"):$ledger" >"$work/began" 2>/dev/null || : >"$work/began"
  git show "$earlier:$ledger" >"$work/earlier"
  touch "$ledger"
  "$bin/store" merge-ledger "$work/began" "$ledger" "$work/earlier" >/dev/null
fi
[ -e "$ledger" ] || : >"$ledger"
cp "$ledger" "$work/before"

stale=0
if [ -d tables ]; then
  "$bin/calibrate" check >"$work/check" || stale=$?
  grep -A1 '^stale' "$work/check" || true
  [ "$stale" -le 1 ] || { cat "$work/check" >&2; exit "$stale"; }
fi

gained=()
for spec in $specs; do
  name=$(basename "$spec" .toml)
  # The table, where it is stale or the frozen generation has none of its own yet, and the search.
  "$bin/retune" "$spec" --store "$store" --candidate-only | sed "s/^/$name: /"
  "$bin/retune" "$spec" --store "$store" --candidate-only --json >"$work/tuned.json"
  if python3 ci/flow.py failed "$work/before" "$work/tuned.json" "$salt"; then
    echo "$name: this candidate failed in an earlier run; it is not tried again"
    continue
  fi
  "$bin/retune" "$spec" --store "$store" --salt "$salt" --json >"$work/retuned.json"
  verdict=$(python3 ci/flow.py verdict "$work/retuned.json")
  echo "$name: $verdict"
  [ "$verdict" != holds ] || gained+=("$spec")
done

# The attempts, without the freezes that may never be taken: a freeze begins the count anew.
if ! cmp -s "$ledger" "$work/before"; then
  blob=$(git hash-object -w "$ledger")
  export GIT_INDEX_FILE=$work/index
  git read-tree "$base"
  git update-index --add --cacheinfo "100644,$blob,$ledger"
  tree=$(git write-tree)
  unset GIT_INDEX_FILE
  commit=$(git "${identity[@]}" commit-tree "$tree" "${parents[@]}" -m "Record the attempts of $salt")
  git branch -f retune-ledger "$commit"
  git bundle create -q "$out/attempts.bundle" "$base..retune-ledger"
fi

if [ "${#gained[@]}" = 0 ]; then
  echo "nothing gained"
  [ "$stale" = 0 ] || { echo "retune: a table is stale, and nothing was gained that replaces it" >&2; exit 1; }
  exit 0
fi

names=()
for spec in "${gained[@]}"; do
  "$bin/retune" "$spec" --store "$store" --salt "$salt" --freeze | sed -n '/^frozen/,$p'
  names+=("$(basename "$spec" .toml)")
done
status=0
"$bin/diff" "$work/base" . --format markdown >"$work/page" || status=$?
[ "$status" = 0 ] || { cat "$work/page"; echo "retune: the records do not hold what was frozen" >&2; exit 1; }
title="Retune ${names[*]}"
{
  echo "Validated afresh, on held-out seeds minted with the salt \`$salt\`."
  echo
  cat "$work/page"
} >"$out/page.md"
echo "$title" >"$out/title"
git add -A tables experiments
git "${identity[@]}" commit -qm "$title" -m "Held-out seeds were minted with the salt $salt."
git branch -f retune HEAD
git bundle create -q "$out/change.bundle" "$base..retune"
echo "gained: branch retune, page $out/page.md"
if [ "$stale" != 0 ]; then "$bin/calibrate" check >"$work/check" || { grep '^stale' "$work/check" >&2; exit 1; }; fi
