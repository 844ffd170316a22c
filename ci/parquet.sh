#!/usr/bin/env bash
# pandas and DuckDB read the results of a run with every 64-bit value exact: their sums are those of the run's record.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(ci/built.sh)
python=$PWD/target/ci/venv/bin/python
[ -x "$python" ] || { echo "parquet: run ci/setup.sh first" >&2; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=ci/test/scratch.sh
here=$PWD
. ci/test/scratch.sh
mkdir -p "$work/experiments"
toy_spec "$work/experiments/toy.toml"
(cd "$work" && "$bin/retune" experiments/toy.toml --freeze >"$work/said") || { cat "$work/said" >&2; exit 1; }
"$python" ci/parquet.py "$work/.evenhand/reports/toy/results.parquet" "$work/experiments/toy/validation.json"
# Values that a float could not hold, from the report's own tests.
cargo run --release --quiet -p evenhand-report --example extremes -- "$work/extremes.parquet"
"$python" ci/parquet.py --extremes "$work/extremes.parquet"
