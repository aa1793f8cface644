import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findCommentFaults, findSentenceFaults, findTitleFaults } from "./prose-rules.ts";
import { root } from "./tools.mjs";

// `npm run lint:prose` lists test titles that are not sentences, long comment lines, and documents with long sentences.

const code = globSync("{*.ts,{contract,machines,scripts,server,speech,src,tests,translation}/**/*.{ts,tsx,mjs}}", { cwd: root });
const documents = globSync(["*.md", "docs/**/*.md", "machines/README.md"], { cwd: root });
/** Generated from quotations of the specification, or of routes. */
const isQuoted = (file: string) => ["docs/spec.md", "docs/spec-coverage.md", "src/routeTree.gen.ts"].includes(file);

const find = (files: readonly string[], rule: (file: string, source: string) => string[]) =>
  files.filter((file) => !isQuoted(file)).flatMap((file) => rule(file, readFileSync(join(root, file), "utf8")));

const faults = [
  ...find(code, findCommentFaults),
  ...find(
    code.filter((file) => file.startsWith("tests/")),
    findTitleFaults,
  ),
  ...find(documents, findSentenceFaults),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
