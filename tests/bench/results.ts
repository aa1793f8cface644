import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { root } from "#scripts/tools.mjs";

/** The figures that `npm run bench` measured last. `npm run docs:performance` makes a page of them. */
const file = join(root, "docs/develop/performance.json");

export const Figures = v.array(
  v.object({
    name: v.string(),
    /** With its unit: "118.4 kB". */
    value: v.string(),
    /** "126 kB"; without one the value never fails. */
    limit: v.optional(v.string()),
    /** Whether the value is within its limit. */
    ok: v.optional(v.boolean(), true),
  }),
);

const Bench = v.object({
  /** The day, such as 2026-03-01, in UTC. */
  date: v.string(),
  /** Processors, memory and Node, as a person reads them. */
  machine: v.string(),
  figures: Figures,
});
const Results = v.record(v.string(), Bench);

/** By the name of the bench, as `npm run bench -- <name>` has it. */
export type Results = v.InferOutput<typeof Results>;

export function readResults(): Results {
  return existsSync(file) ? v.parse(Results, JSON.parse(readFileSync(file, "utf8"))) : {};
}

/** Keeps the results of the other benches. */
export function addResult(name: string, result: Results[string]): void {
  writeFileSync(file, `${JSON.stringify({ ...readResults(), [name]: result }, null, 2)}\n`);
}
