import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeOrCheck } from "./generated-document.ts";
import { readCoverage, readSentences, writeDocument } from "./spec-coverage.ts";
import { readTags } from "./test-tags.ts";
import { root } from "./tools.mjs";

// `npm run docs:spec` writes docs/spec-coverage.md: which test names which sentence of docs/spec.md. With --check it
// only checks whether the document is up to date. A tag that matches nothing fails in both cases.

const files = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => `tests/${name}`)
  .sort();
const tags = files.flatMap((file) => readTags(file, readFileSync(join(root, file), "utf8")));
const coverage = readCoverage(readSentences(readFileSync(join(root, "docs", "spec.md"), "utf8")), tags);

writeOrCheck("docs/spec-coverage.md", writeDocument(coverage), "npm run docs:spec");
for (const problem of coverage.problems) console.error(problem);
if (coverage.problems.length > 0) process.exit(1);
