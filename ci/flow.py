"""What the scripts of the workflows ask of records and pages.

    flow.py verdict RETUNED.json          prints the verdict of the freeze's gates
    flow.py failed LEDGER TUNED.json SALT exits with 0 when an earlier run judged this candidate and it failed; runs are
                                          told by the salt's word before the first `-`
    flow.py cut PAGE                      prints the page as the body of a comment, which has a greatest length
"""
import json
import sys

# What the service takes is 65,536 characters.
LONGEST = 60_000


def verdict(path):
    with open(path, encoding="utf-8") as file:
        print(json.load(file)["freeze_verdict"])


def failed(ledger, tuned, salt):
    with open(tuned, encoding="utf-8") as file:
        candidate = json.load(file)["candidate"]
    kind = salt.split("-")[0] + "-"
    with open(ledger, encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            outcome = line["event"].get("outcome")
            if outcome and line["candidate"] == candidate and line["salt"].startswith(kind):
                if outcome["result"] != "passed":
                    return 0
    return 1


def cut(path):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    if len(page) > LONGEST:
        page = page[:LONGEST].rsplit("\n", 1)[0] + "\n\nThe page goes on; it is whole in the run's artifact.\n"
    sys.stdout.write(page)


sys.exit({"verdict": verdict, "failed": failed, "cut": cut}[sys.argv[1]](*sys.argv[2:]))
