import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { root } from "#scripts/tools.mjs";

/** The figures of the last `npm run bench`. `npm run docs:performance` writes a page from them. */
const file = join(root, "docs/develop/performance.json");

export const Figures = v.array(
  v.object({
    name: v.string(),
    /** The value with its unit: "118.4 kB". */
    value: v.string(),
    /** Such as "126 kB"; a value without a limit never fails. */
    limit: v.optional(v.string()),
    /** Whether the value is within its limit. */
    ok: v.optional(v.boolean(), true),
  }),
);

const Bench = v.object({
  /** The day, such as 2026-03-01, in UTC. */
  date: v.string(),
  /** Processors, memory and Node, as shown to readers. */
  machine: v.string(),
  figures: Figures,
});
const Results = v.record(v.string(), Bench);

/** The results by name of the bench, as in `npm run bench -- <name>`. */
export type Results = v.InferOutput<typeof Results>;

export function readResults(): Results {
  return existsSync(file) ? v.parse(Results, JSON.parse(readFileSync(file, "utf8"))) : {};
}

/** Adds or replaces one bench's result. */
export function addResult(name: string, result: Results[string]): void {
  writeFileSync(file, `${JSON.stringify({ ...readResults(), [name]: result }, null, 2)}\n`);
}
