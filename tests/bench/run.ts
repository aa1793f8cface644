// npm run bench [-- name ...]: the benches one after another, so that they don't disturb each other; then prints the results as a
// table.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "#scripts/tools.mjs";

/** Name and file, the quick ones first. */
const benches = [
  ["page-weight", "tests/bench/page-weight.ts"],
  ["start", "tests/bench/start.ts"],
  ["recognition", "tests/bench/recognition.ts"],
  ["routes", "tests/bench/routes.ts"],
  ["search", "tests/bench/search.ts"],
  ["history", "tests/bench/history.ts"],
  ["search-said", "tests/bench/search-said.ts"],
  ["transcript", "tests/bench/transcript.ts"],
  ["blog", "tests/bench/blog.ts"],
  ["blog-analytics", "tests/bench/blog-analytics.ts"],
  ["hostile", "tests/bench/hostile.ts"],
  ["lighthouse", "tests/bench/lighthouse.ts"],
  ["live", "tests/bench/live.ts"],
  ["upload-memory", "tests/bench/server/upload-memory.ts"],
  ["vault", "tests/bench/vault.ts"],
  ["transcribe", "tests/bench/transcribe.ts"],
  ["costs", "tests/bench/costs.ts"],
  ["queue", "tests/bench/queue.ts"],
] as const;

interface Row {
  figure: string;
  measured: string;
  limit: string;
  isBroken: boolean;
}

interface Outcome {
  name: string;
  ok: boolean;
  /** What else the machine had to do when it began: figures of a busy machine say little. */
  load: string;
  rows: Row[];
}

/** A line with a figure: "JavaScript of a first visit to /: 118.4 kB (limit 126.0 kB)". */
const counting = /^(.+?): (.+) \(limit (.+?)\)( BROKEN)?/;

async function run(name: string, file: string): Promise<Outcome> {
  const load = `${(loadavg()[0] ?? 0).toFixed(1)} of ${availableParallelism()}`;
  console.log(`\n${name} (load before it: ${load} processors)`);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(root, file)], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const rows: Row[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    const [, figure, measured, limit, broken] = counting.exec(line) ?? [];
    if (figure === undefined || measured === undefined || limit === undefined) continue;
    rows.push({ figure, measured, limit, isBroken: broken !== undefined });
  }
  const [code] = await exited;
  return { name, ok: code === 0, load, rows };
}

function printTable(outcomes: readonly Outcome[]): void {
  const table = outcomes.flatMap(({ name, ok, load, rows }) => {
    // Where a bench has failed without saying by which figure, none of them can be relied on.
    const isUnclear = !ok && rows.every(({ isBroken }) => !isBroken);
    const verdict = (isBroken: boolean) => (isBroken || isUnclear ? "BROKEN" : "kept");
    const none = [[name, "", "", load, verdict(!ok)]];
    return rows.length === 0 ? none : rows.map((row) => [row.figure, row.measured, row.limit, load, verdict(row.isBroken)]);
  });
  const lines = [["figure", "measured", "limit", "load", "limits"], ...table];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  console.log("");
  for (const line of lines) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benches.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(", ")}. There are: ${benches.map(([name]) => name).join(", ")}`);
  process.exit(1);
}
const outcomes: Outcome[] = [];
for (const [name, file] of benches) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  if (!existsSync(join(root, file))) throw new Error(`${file} is missing.`);
  outcomes.push(await run(name, file));
}
printTable(outcomes);
process.exit(outcomes.every((outcome) => outcome.ok) ? 0 : 1);
