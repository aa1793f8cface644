import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const tests = join(import.meta.dirname, "..");
const docs = join(tests, "../docs");

test.each([
  ["tests/README.md", join(tests, "README.md"), 100],
  ["docs/security.md", join(docs, "security.md"), 20],
  ["docs/asvs.md", join(docs, "asvs.md"), 50],
])("%s names tests that are there", (_name, path, most) => {
  const named = [...readFileSync(path, "utf8").matchAll(/`([\w/.-]+\.ts)` › `([^`]+)`/g)];
  expect(named.length).toBeGreaterThan(most);
  const missing = named.filter(([, file = "", title = ""]) => {
    const source = join(tests, file);
    return !existsSync(source) || !readFileSync(source, "utf8").includes(title);
  });
  expect(missing.map(([reference]) => reference)).toEqual([]);
});
