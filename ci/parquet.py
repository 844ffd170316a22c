"""Reads a results file with pandas and with DuckDB, and compares what they read with the record of the run.

    parquet.py results.parquet validation.json    sums of each cell against the record's
    parquet.py extremes.parquet                   the ends of 64 bits, and one more than a float can hold
"""
import json
import sys

import duckdb
import pandas

path = sys.argv[1]
frame = pandas.read_parquet(path)
table = duckdb.sql(f"select * from read_parquet('{path}')")
names = table.columns
assert list(frame.columns) == names, "the two readers name other columns"
assert not frame.isna().any().any(), "a value is missing"
kinds = {str(kind) for kind in frame.dtypes}
assert kinds <= {"int64", "uint64", "object", "str", "string"}, f"other types than 64-bit integers and text: {kinds}"
assert {str(kind) for kind in table.types} <= {"BIGINT", "UBIGINT", "VARCHAR"}, table.types

# Every value of both readers, as Python's integers.
ours = [tuple(int(v) if not isinstance(v, str) else v for v in row) for row in frame.itertuples(index=False, name=None)]
theirs = table.fetchall()
assert ours == theirs, "pandas and DuckDB read other values"

if len(sys.argv) == 2:
    low, high, odd = -(2**63), 2**63 - 1, 2**53 + 1
    at = {name: i for i, name in enumerate(names)}
    assert [row[at["a_settlement"]] for row in theirs] == [low, high, odd]
    assert [row[at["b_settlement"]] for row in theirs] == [high, low, -odd - 1]
    assert [row[at["a_work"]] for row in theirs] == [2**64 - 1] * 3
    print(f"parquet: {path}: the ends of 64 bits and {odd} come back as they are")
    sys.exit()

with open(sys.argv[2], encoding="utf-8") as file:
    record = json.load(file)
for cell in record["cells"]:
    # Sums in DuckDB's 128-bit integers, and in Python's.
    name = f"{cell['against']} at {cell['rounds']} rounds"
    group = frame[frame["cell"] == name]
    assert len(group) == cell["estimate"]["seeds"], f"{name}: seeds"
    for column, want in [
        ("matches", cell["matches"]),
        ("rounds", cell["rounds_played"]),
        ("a_decisions", cell["fallbacks"]["decisions"]),
        ("b_decisions", cell["opponent_fallbacks"]["decisions"]),
        *((f"a_metric_{m['name']}", m["a_sum"]) for m in cell["metrics"]),
        *((f"b_metric_{m['name']}", m["b_sum"]) for m in cell["metrics"]),
    ]:
        in_python = sum(int(v) for v in group[column])
        in_duckdb = duckdb.execute(
            f'select sum("{column}")::hugeint from read_parquet(?) where cell = ?', [path, name]
        ).fetchone()[0]
        assert in_python == in_duckdb == want, f"{name}: {column}: {in_python}, {in_duckdb}, on record {want}"
    settlement = sum(int(v) for v in group["a_settlement"])
    below = len(group) * record["players"] ** 2 * cell["rounds"]
    mean = cell["estimate"]["mean_micro"]
    assert abs(settlement * 1_000_000 - mean * below) <= below, f"{name}: the mean is not that of the rows"
print(f"parquet: {path}: {len(ours)} rows, {len(record['cells'])} cells, every sum as on record in pandas and in DuckDB")
