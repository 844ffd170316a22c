"""What every workflow keeps to, beyond being well-formed.

Actions are pinned by a full commit, with the version beside it; permissions are stated, and at the
top no more than reading; no secret is named; no job runs what a fork sent with rights of its own;
a step that runs something runs a script of this repository, so that everything can be run at home.
"""
import re
import sys

faults = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.split("\n")

    def fault(number, why):
        faults.append(f"{path}:{number}: {why}")

    top = re.search(r"^permissions:(.*(?:\n  .*)*)", text, re.M)
    if top is None:
        fault(1, "states no permissions at the top")
    elif "write" in top.group(1):
        fault(1, "permissions at the top are for reading; a job that writes states its own")
    if "pull_request_target" in text:
        fault(1, "pull_request_target runs with rights beside what a fork sent")
    for number, line in enumerate(lines, 1):
        code = line.split(" #")[0]
        if re.search(r"secrets\.|secrets:", code):
            fault(number, "names a secret; the token of the run is all that is needed")
        uses = re.match(r"\s*-?\s*uses:\s*(\S+)(.*)", line)
        if uses and not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", uses.group(1)):
            fault(number, f"{uses.group(1)} is not pinned by a full commit")
        elif uses and not re.search(r"# v\d", uses.group(2)):
            fault(number, "the pinned action's version is not named beside it")
        runs = re.match(r"\s*-?\s*run:\s*(.*)", line)
        if runs and not re.match(r"(bash )?\.?ci/", runs.group(1)):
            fault(number, "runs something that is no script under ci/")
        if runs and "${{" in line:
            fault(number, "an expression within a script: hand it over by env")
        if "workflow_run:" in text and re.search(r"\b(ref|repository):.*workflow_run", code):
            fault(number, "checks out what a fork sent, with rights of its own")

for one in faults:
    print(one, file=sys.stderr)
sys.exit(1 if faults else 0)
