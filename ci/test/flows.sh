#!/usr/bin/env bash
# Runs what the workflows run, in a toy repository: a first gain, no gain, a stale table, the review of a change. The
# service's command line is a stand-in that notes what it is asked.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=ci/test/scratch.sh
. "$here/ci/test/scratch.sh"
scratch toy
fail() { echo "flows test: $*" >&2; exit 1; }
there() { [ -e "$work/out/$1" ] || fail "$1 is not there"; }
absent() { for file in "$@"; do [ ! -e "$work/out/$file" ] || fail "$file is there"; done; }
lines() { git show "$1:experiments/ledger.jsonl" | wc -l; }

mkdir "$work/path"
cat >"$work/path/gh" <<'GH'
#!/usr/bin/env bash
echo "gh $*" >>"$GH_NOTES"
case "$*" in
  "pr list"*) cat "$GH_OPEN" 2>/dev/null ;;
  "pr create"*) echo 7 >"$GH_OPEN" ;;
  *"/pulls "*) echo 7 ;;
  *"--paginate"*) cat "$GH_COMMENT" 2>/dev/null ;;
  *"POST"*) echo 99 >"$GH_COMMENT" ;;
esac
exit 0
GH
chmod +x "$work/path/gh"
export PATH="$work/path:$PATH" GH_NOTES="$work/notes" GH_OPEN="$work/open" GH_COMMENT="$work/posted"
: >"$GH_NOTES"

toy_spec experiments/toy.toml
sed 's/"full"/"quick"/' experiments/toy.toml >experiments/rehearsal.toml
commit "a toy experiment"
git push -q origin main

# Nothing is frozen yet, and the toy beats the simple styles: a gain leaves a branch and a page.
ci/retune.sh --salt run-1 --out "$work/out" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the first run"; }
there change.bundle; there attempts.bundle; there page.md
for words in run-1 holds; do grep -q "$words" "$work/out/page.md" || fail "the page does not say $words"; done
[ "$(cat "$work/out/title")" = "Retune toy" ] || fail "the title"
[ -z "$(git status --porcelain)" ] && [ "$(git branch --show-current)" = main ] || fail "the checkout was not left as it was"
[ "$(lines retune-ledger) $(lines retune)" = "2 3" ] || fail "the ledgers"
git cat-file -e retune:tables/lexio/3p/weights.json || fail "no weights on the branch"
ci/open-change.sh "$work/out" >/dev/null
grep -q "^gh pr create --head retune --base main" "$GH_NOTES" || fail "no pull request"
[ "$(git --git-dir="$work/origin.git" rev-parse retune)" = "$(git rev-parse retune)" ] || fail "the branch was not pushed"

# The same candidate again, with a salt of its own: the open pull request is updated, none is opened.
: >"$GH_NOTES"
ci/retune.sh --salt run-2 --out "$work/out" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the second run"; }
[ "$(lines retune-ledger)" = 4 ] || fail "the second attempt is not on record"
git show retune-ledger:experiments/ledger.jsonl | tail -n 1 | grep -q '"attempt":2' || fail "it is no second attempt"
ci/open-change.sh "$work/out" >/dev/null
grep -q "^gh pr edit 7" "$GH_NOTES" || fail "the pull request was not updated"
! grep -q "pr create" "$GH_NOTES" || fail "a second pull request"

# It is taken. The next generation plays no better: silence, with the attempt on record.
git merge -q --ff-only retune; git push -q origin main; rm -f "$GH_OPEN"; : >"$GH_NOTES"; git branch -D -q retune
ci/retune.sh --salt run-3 --out "$work/out" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the third run"; }
absent change.bundle page.md title; there attempts.bundle
! git rev-parse --verify --quiet retune >/dev/null || fail "a branch without a gain"
ci/open-change.sh "$work/out" >/dev/null
[ ! -s "$GH_NOTES" ] || fail "not silent: $(cat "$GH_NOTES")"
before=$(git --git-dir="$work/origin.git" rev-parse retune-ledger)
# Nor is it tried again and again.
ci/retune.sh --salt run-4 --out "$work/out" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the fourth run"; }
absent change.bundle attempts.bundle
grep -q "failed in an earlier run" "$work/log" || fail "it does not say why"
ci/open-change.sh "$work/out" >/dev/null
[ "$(git --git-dir="$work/origin.git" rev-parse retune-ledger)" = "$before" ] || fail "an attempt too many"

# The frozen table says that another estimator made it. With a gain to claim, nothing replaces it, which is an error;
# without one, what plays as well with a new table takes its place.
python3 ci/test/stale.py tables/lexio/3p "$EVENHAND_BIN/calibrate"
commit "an estimator that has changed since"
says 1 "a table is stale, and nothing was gained" ci/retune.sh --salt run-5 --out "$work/out"
toy_spec experiments/toy.toml no-loss
commit "no gain is claimed"
says 1 "stale" "$EVENHAND_BIN/calibrate" check
ci/retune.sh --salt run-6 --out "$work/out" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the stale table"; }
grep -q "^stale" "$work/log" || fail "it does not say what was stale"
there page.md
git switch -q retune
says 0 "ok" "$EVENHAND_BIN/calibrate" check
git cat-file -e HEAD:tables/lexio/3p/previous/safety.json || fail "the generation before was not kept"

# The review of that change: a page, posted once, then updated; a change of nothing makes no comment.
: >"$GH_NOTES"
says 0 "Every record holds." ci/review.sh main "$work/review"
grep -q "estimator CHANGED" "$work/review/page.md" || fail "the review does not say that the estimator changed"
sha=$(git rev-parse HEAD)
for _ in 1 2; do ci/comment.sh us/evenhand them/evenhand retune "$sha" "$work/review/page.md"; done
[ "$(grep -c POST "$GH_NOTES") $(grep -c PATCH "$GH_NOTES")" = "1 1" ] || fail "comments: $(cat "$GH_NOTES")"
grep -q "head=them:retune" "$GH_NOTES" || fail "the pull request of a fork was not looked for"
says 0 "no change" ci/review.sh HEAD "$work/same"
rm "$GH_COMMENT"; : >"$GH_NOTES"
ci/comment.sh us/evenhand them/evenhand retune "$sha" "$work/same/page.md" >/dev/null
! grep -qE "POST|PATCH" "$GH_NOTES" || fail "a comment about nothing"
# Weights whose record is gone do not hold.
git rm -q experiments/toy/validation.json; git commit -qm "the record is gone"
says 0 "A record does not hold" ci/review.sh main "$work/review"
echo "flows test: ok"
