#!/usr/bin/env bash
# pandas and DuckDB read the results of a run with every 64-bit value exact: their sums are those of the run's record.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=ci/test/scratch.sh
. "$here/ci/test/scratch.sh"
python=$here/target/ci/venv/bin/python
[ -x "$python" ] || { echo "parquet: run ci/setup.sh first" >&2; exit 3; }
scratch parquet
toy_spec experiments/toy.toml
"$EVENHAND_BIN/retune" experiments/toy.toml --freeze >"$work/said" || { cat "$work/said" >&2; exit 1; }
"$python" "$here/ci/parquet.py" .evenhand/reports/toy/results.parquet experiments/toy/validation.json
# Values that a float could not hold.
"$here/ci/sample.sh" "$work/sample"
"$python" "$here/ci/parquet.py" "$work/sample/extremes.parquet"
