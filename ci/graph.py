"""Compares the workspace's normal dependencies with the allowed arrows.

Reads `cargo metadata --no-deps` on standard input; the file given as argument lists, per crate,
`crate -> what it may depend on`, and `only LIBRARY: crates` for libraries with a fixed home.
"""
import json
import sys

allowed, homes = {}, {}
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        line = line.split("#")[0].strip()
        if line.startswith("only "):
            library, crates = line[5:].split(":")
            homes[library.strip()] = set(crates.split())
        elif "->" in line:
            crate, targets = line.split("->")
            allowed[crate.strip()] = set(targets.split())

faults = []
for package in json.load(sys.stdin)["packages"]:
    crate = package["name"].removeprefix("evenhand-")
    if crate == "tests":
        continue
    if crate not in allowed:
        faults.append(f"{crate} has no line in {sys.argv[1]}")
        continue
    for dependency in package["dependencies"]:
        if dependency["kind"] is not None:
            continue
        name = dependency["name"]
        if name.startswith("evenhand-"):
            if name.removeprefix("evenhand-") not in allowed[crate]:
                faults.append(f"{crate} must not depend on {name}")
        elif name in homes and crate not in homes[name]:
            faults.append(f"{crate} must not depend on {name}: its home is {', '.join(sorted(homes[name]))}")

for fault in faults:
    print(f"graph: {fault}", file=sys.stderr)
sys.exit(bool(faults))
