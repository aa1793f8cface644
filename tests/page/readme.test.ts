import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const tests = join(import.meta.dirname, "..");
const named = [...readFileSync(join(tests, "README.md"), "utf8").matchAll(/`([\w/.-]+\.ts)` › `([^`]+)`/g)];

test("tests/README.md names tests that are there", () => {
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(([, file = "", title = ""]) => {
    const path = join(tests, file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(title);
  });
  expect(missing.map(([reference]) => reference)).toEqual([]);
});
