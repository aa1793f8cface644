import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMachines } from "#scripts/machines.ts";

// PROMISE code: Every path through every machine is tested
test("covers every machine in machines/ with path tests", async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const tests = files.filter((path) => path.endsWith(".ts") && !path.startsWith("harness"));
  const sources = tests.map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  const machines = await findMachines();
  const without = machines.filter(({ name }) => !sources.some((source) => source.includes(`machine: ${name},`)));
  expect(without.map(({ file }) => file)).toEqual([]);
});
