#!/usr/bin/env bash
# Tests ci/ledger.sh and the merge driver in a scratch git repository.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=ci/test/scratch.sh
. "$here/ci/test/scratch.sh"
scratch ledger

ledger=experiments/ledger.jsonl
# Lines of the real ledger, which is long enough to be spoilt.
lines=$(wc -l <"$here/$ledger")
[ "$lines" -ge 6 ] || { echo "the ledger has $lines lines, too few for this test" >&2; exit 1; }
head -3 "$here/$ledger" >"$ledger"
commit "three lines"
says 0 "no base to compare with" ci/ledger.sh
git push -q origin main
git switch -q -c branch

expect() { # EXIT WORDS: what the check says of the ledger as it is
  git commit -qam "$2" || true
  says "$1" "$2" ci/ledger.sh
  says "$1" "$2" ci/ledger.sh origin/main
  git reset -q --hard main
}
head -6 "$here/$ledger" >"$ledger"; expect 0 "3 lines as they were, 3 added"
head -2 "$here/$ledger" >"$ledger"; expect 1 "taken out"
: >"$ledger"; expect 1 "taken out: the ledger got shorter"
git rm -q "$ledger"; expect 1 "was taken out"
sed -i '1s/"salt":""/"salt":"x"/' "$ledger"; expect 1 "line 1"
{ sed -n 2p "$here/$ledger"; sed -n 1p "$here/$ledger"; sed -n 3p "$here/$ledger"; } >"$ledger"; expect 1 "line 1"
sed -i 's/$/\r/' "$ledger"; expect 1 "ledger"
says 3 "no commit nowhere" ci/ledger.sh nowhere
says 0 "compared with" ci/ledger.sh HEAD

# Two branches that both added lines: theirs are linked anew behind ours, and attempts count over both.
entry() { "$EVENHAND_BIN/retune" experiments/toy.toml --salt "$1" --store "$work/store" >/dev/null; }
toy_spec experiments/toy.toml
git add -A; git commit -qm "a toy experiment"; git push -q origin branch:main
entry one; git commit -qam "an attempt here"
git switch -q -c other HEAD~1
entry two; git commit -qam "an attempt there"
git config merge.ledger.driver "$EVENHAND_BIN/store merge-ledger %O %A %B"
echo "experiments/ledger.jsonl merge=ledger" >.git/info/attributes
git switch -q branch
git merge -q --no-edit other >"$work/merge.out" 2>&1 || { cat "$work/merge.out" >&2; exit 1; }
grep -q "passed as attempt 1.*it is attempt 2 by now" "$work/merge.out" || { cat "$work/merge.out" >&2; exit 1; }
says 0 "lines as they were" ci/ledger.sh HEAD^1
says 1 "a ledger only grows" ci/ledger.sh other
# The same the other way round, for a branch that takes main in.
git reset -q --hard HEAD^1
git config merge.ledger.driver "$EVENHAND_BIN/store merge-ledger %O %A %B --first theirs"
git merge -q --no-edit other >/dev/null
says 0 "lines as they were" ci/ledger.sh other
grep -q '"attempt":2.*"salt":"one"' "$ledger"
# A branch that rewrote what it began with cannot be merged.
git show main:"$ledger" | head -2 >"$work/cut"
git show other:"$ledger" >"$work/other"
cp "$work/cut" "$work/ours"
says 1 "a ledger only grows" "$EVENHAND_BIN/store" merge-ledger <(git show main:"$ledger") "$work/ours" "$work/other"
cmp -s "$work/ours" "$work/cut"
echo "ledger test: ok"
