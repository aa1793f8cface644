// npm run bench [-- name ...]: runs the benches one after another, so that they don't disturb each other. Saves their
// figures in docs/develop/performance.json, and prints them as a table at the end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { root } from "#scripts/tools.mjs";
import { addResult, Figures } from "./results.ts";

/** Name and file, with the quick ones first. */
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
  ["device", "tests/bench/device.ts"],
  ["transcribe", "tests/bench/transcribe.ts"],
  ["costs", "tests/bench/costs.ts"],
  ["queue", "tests/bench/queue.ts"],
] as const;

interface Outcome {
  name: string;
  ok: boolean;
  /** The machine's load at the start: figures of a busy machine say little. */
  load: string;
  figures: v.InferOutput<typeof Figures>;
}

async function run(name: string, file: string): Promise<Outcome> {
  const load = `${(loadavg()[0] ?? 0).toFixed(1)} of ${availableParallelism()}`;
  console.log(`\n${name} (load before it: ${load} processors)`);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(root, file)], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const figures: Outcome["figures"] = [];
  child.on("message", (message) => figures.push(...v.parse(Figures, message)));
  const [code] = await once(child, "close");
  return { name, ok: code === 0, load, figures };
}

function printTable(outcomes: readonly Outcome[]): void {
  const table = outcomes.flatMap(({ name, ok, load, figures }) => {
    const limited = figures.filter(({ limit }) => limit !== undefined);
    // If a bench failed without a broken figure, none of its figures can be trusted.
    const isUnclear = !ok && figures.every((figure) => figure.ok);
    const verdict = (isKept: boolean) => (isKept && !isUnclear ? "kept" : "BROKEN");
    if (limited.length === 0) return [[name, "", "", load, verdict(ok)]];
    return limited.map((figure) => [figure.name, figure.value, figure.limit, load, verdict(figure.ok)]);
  });
  const lines = [["figure", "measured", "limit", "load", "limits"], ...table];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  console.log("");
  for (const line of lines) console.log(line.map((cell, column) => cell?.padEnd(widths[column] ?? 0)).join("  "));
}

/** Saves the figures. After an error, the previous figures stay. */
function save({ name, ok, figures }: Outcome): void {
  if (!ok && figures.every((figure) => figure.ok)) return;
  const [{ model } = { model: "" }] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const machine = `${availableParallelism()} × ${model.trim()}, ${memory} GiB, Node ${process.versions.node}`;
  addResult(name, { date: new Date().toISOString().slice(0, 10), machine, figures });
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
  const outcome = await run(name, file);
  save(outcome);
  outcomes.push(outcome);
}
printTable(outcomes);
console.log("\nThe figures are in docs/develop/performance.json. `npm run docs:performance` makes the page of them.");
process.exit(outcomes.every((outcome) => outcome.ok) ? 0 : 1);
