#!/usr/bin/env bash
# Renders a report in a headless browser, narrow and wide, and fails on a console message or a network request.
#
#   ci/report-browser.sh report.html [more.html ...]
#
# Needs chromium (Debian: apt-get install chromium); CHROMIUM names another binary. Without one it fails, since a
# check that did not run has shown nothing.
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: ci/report-browser.sh report.html ..." >&2; exit 3; }
browser=$(command -v "${CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome) ||
  { echo "report-browser: no chromium found; install it or set CHROMIUM" >&2; exit 3; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

render() { # file width height: leaves $work/shot.png, $work/log, $work/net.json
  rm -rf "$work/profile" "$work/shot.png" "$work/net.json"
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --no-default-browser-check \
    --disable-background-networking --disable-component-update --disable-sync --disable-domain-reliability \
    --disable-dev-shm-usage --user-data-dir="$work/profile" --hide-scrollbars \
    --enable-logging=stderr --log-net-log="$work/net.json" --window-size="$2,$3" \
    --screenshot="$work/shot.png" "file://$1" >"$work/out" 2>"$work/log" || {
    cat "$work/log" >&2
    echo "report-browser: the browser failed on $1" >&2
    exit 1
  }
}

# Which hosts a page asked for. What the browser asks for by itself has no initiator on the page's own origin;
# it shows on an empty page as well and is subtracted.
hosts() { grep -oE '"url": *"(https?|wss?)://[^/"]+' "$work/net.json" | grep -oE '[a-z]+://.*' | sort -u || true; }

printf '<!doctype html><title>empty</title>' >"$work/empty.html"
render "$work/empty.html" 800 600
hosts >"$work/own"

failed=0
for file in "$@"; do
  [ -s "$file" ] || { echo "report-browser: $file is not there, or empty" >&2; exit 3; }
  path=$(realpath -- "$file")
  for width in 390 1400; do
    render "$path" "$width" 2000
    [ -s "$work/shot.png" ] || { echo "$file at ${width}px: nothing was drawn" >&2; failed=1; }
    if grep -E 'CONSOLE' "$work/log" >&2; then
      echo "$file at ${width}px: console messages (above)" >&2
      failed=1
    fi
    [ -s "$work/net.json" ] || { echo "$file at ${width}px: no record of requests" >&2; failed=1; }
    hosts | comm -23 - "$work/own" >"$work/asked"
    if [ -s "$work/asked" ]; then
      sed "s|^|$file at ${width}px asked for |" "$work/asked" >&2
      failed=1
    fi
  done
done
[ "$failed" = 0 ] && echo "report-browser: $# page(s) drawn at two widths, no console message, no request"
exit "$failed"
