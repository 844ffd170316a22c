# shellcheck shell=bash
# What the tests of the scripts share: a scratch git repository with the scripts in it and a bare
# remote beside it. To be sourced by a script that has set `here` to the repository's root.

here=${here:?the root of the repository}
EVENHAND_BIN=$("$here/ci/built.sh")
export EVENHAND_BIN
# Nothing of the caller's configuration, and a fixed author.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.invalid GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.invalid
unset EVENHAND_BASE EVENHAND_STORE GITHUB_ACTIONS GITHUB_OUTPUT GH_TOKEN

scratch() { # NAME: makes the repository, goes there, sets `work`
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/$1/experiments"
  cp -r "$here/ci" "$work/$1/ci"
  cp "$here/.gitignore" "$here/.gitattributes" "$work/$1/"
  cd "$work/$1" || exit 1
  git init -q -b main
  git init -q --bare "$work/origin.git"
  git remote add origin "$work/origin.git"
}

commit() { git add -A && git commit -qm "$1"; }

says() { # EXIT WORDS COMMAND...: runs it and wants this exit code and these words
  local want=$1 words=$2 got=0
  shift 2
  "$@" >"$work/said" 2>&1 || got=$?
  if [ "$got" != "$want" ] || ! grep -qF -- "$words" "$work/said"; then
    echo "$* left with $got (wanted $want) and should say: $words" >&2
    cat "$work/said" >&2
    exit 1
  fi
}

# A full run of a second or two: three players, few seeds, and a bar to moves that none passes, so
# that what comes out hangs on nothing but whether there is an incumbent.
toy_spec() { # FILE [CLAIM]
  cat >"$1" <<SPEC
game = "lexio"
players = 3
ruleset = "default"
policy = "hard"
kind = "full"
[calibrate]
seed = 1
situations = 300
samples = 40
[tune]
first_seed = 1
seeds = 4
rounds = 1
sweeps = 1
accept_t_milli = 9000
[[tune.pool]]
policy = "easy"
share = 60
[[tune.pool]]
policy = "incumbent"
share = 40
[validate]
seeds = 48
rounds = [1, 2]
head_to_head = 64
[freeze]
claim = "${2:-gain}"
SPEC
}
