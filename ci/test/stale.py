"""Makes the frozen table of a folder say that another estimator made it, and its weights stand on that table; both are
sealed again: the checksum is SHA-256 over the text without its line. The candidate's digest, which covers the table, is
what `calibrate check` says that the content gives."""
import hashlib
import re
import subprocess
import sys

folder, calibrate = sys.argv[1:]


def sealed(lines):
    body = [line for line in lines if not line.startswith('  "checksum": ')]
    digest = hashlib.sha256("".join(body).encode()).hexdigest()
    return [f'  "checksum": "{digest}",\n' if line.startswith('  "checksum": ') else line for line in lines], digest


def change(name, old_to_new):
    path = f"{folder}/{name}"
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.readlines()
    before = next(line for line in lines if line.startswith('  "checksum": ')).split('"')[3]
    lines = [old_to_new(line) for line in lines]
    lines, after = sealed(lines)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.writelines(lines)
    return before, after


def estimator(line):
    return f'  "estimator": "{"0" * 64}",\n' if line.startswith('  "estimator": ') else line


before, after = change("safety.json", estimator)
change("weights.json", lambda line: line.replace(before, after))
said = subprocess.run([calibrate, "check"], capture_output=True, text=True, check=False).stderr
written, gives = re.search(r"candidate: ([0-9a-f]{64}) written, but the content gives ([0-9a-f]{64})", said).groups()
change("weights.json", lambda line: line.replace(written, gives))
