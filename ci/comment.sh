#!/usr/bin/env bash
# Posts a page as the one comment of a pull request, or updates it. A page that says that nothing changed makes no new
# comment. Which pull request it is comes from the service, never from what the pull request sent.
#
# usage: ci/comment.sh REPOSITORY HEAD_REPOSITORY HEAD_BRANCH HEAD_COMMIT PAGE
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 5 ] || { echo "usage: ci/comment.sh REPOSITORY HEAD_REPOSITORY HEAD_BRANCH HEAD_COMMIT PAGE" >&2; exit 3; }
repository=$1 head_repository=$2 branch=$3 commit=$4 page=$5
marker="<!-- evenhand: what changed -->"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

number=$(gh api --method GET "repos/$repository/pulls" -f state=open -f "head=${head_repository%%/*}:$branch" \
  --jq ".[] | select(.head.sha == \"$commit\") | .number" | head -n 1)
[ -n "$number" ] || { echo "comment: no open pull request stands at $commit"; exit 0; }
{ echo "$marker"; python3 ci/flow.py cut "$page"; } >"$work/body"
mine=$(gh api --paginate "repos/$repository/issues/$number/comments" \
  --jq ".[] | select(.user.login == \"github-actions[bot]\" and (.body | startswith(\"$marker\"))) | .id" | head -n 1)
if [ -n "$mine" ]; then
  gh api --method PATCH "repos/$repository/issues/comments/$mine" -F "body=@$work/body" --silent
elif grep -q '^no change' "$page"; then
  echo "comment: nothing changed, nothing said"
else
  gh api --method POST "repos/$repository/issues/$number/comments" -F "body=@$work/body" --silent
fi
