// JavaScript that a first visit to / loads, and the size of what else there is to load. Run: npm run bench -- page-weight
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "#scripts/tools.mjs";
import { openBrowser } from "#tests/browser/harness-browser.ts";
import { startParlance } from "#tests/browser/harness-server.ts";
import { type Figure, kilobytes, report } from "./figures.ts";

/** Bytes after gzip -9 (issue 2, "Speed"). */
const firstVisitLimit = 126_000;
const chunkLimit = 60_000;
/**
 * What the limit is not for: ELK's layout in its worker, which /debug/machines alone asks for, once somebody looks at a statechart there.
 * Nobody who uses the product loads it.
 */
const developersOnly = /^elk-worker/;

/** Name and bytes (gzip -9) of every script that / asks for until the network is idle. */
async function firstVisit(url: string): Promise<Map<string, number>> {
  await using browser = await openBrowser();
  const page = await browser.newPage();
  const scripts = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (!/javascript/.test(response.headers()["content-type"] ?? "")) return;
    scripts.set(
      basename(new URL(response.url()).pathname),
      response.body().then((body) => zipped(body)),
    );
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const entries = [...scripts].map(async ([name, size]) => [name, await size] as const);
  return new Map(await Promise.all(entries));
}

function zipped(body: Uint8Array): number {
  return gzipSync(body, { level: 9 }).length;
}

/** Everything that is not part of the first visit: the routes' own chunks and what they share. */
async function otherChunks(loaded: ReadonlyMap<string, number>): Promise<[string, number][]> {
  const folder = join(root, "dist", "assets");
  const all = await readdir(folder);
  const names = all.filter((name) => name.endsWith(".js") && !loaded.has(name) && !developersOnly.test(name));
  return Promise.all(names.map(async (name): Promise<[string, number]> => [name, zipped(await readFile(join(folder, name)))]));
}

function largestFigure([name, size]: [string, number]): Figure {
  return {
    name: "Largest other chunk",
    value: `${kilobytes(size)}, ${name}`,
    limit: kilobytes(chunkLimit),
    ok: size <= chunkLimit,
  };
}

const largestFirst = (a: [string, number], b: [string, number]) => b[1] - a[1];

await using parlance = await startParlance();
const loaded = await firstVisit(parlance.url);
const others = (await otherChunks(loaded)).sort(largestFirst);
const total = [...loaded.values()].reduce((sum, size) => sum + size, 0);
const [largest] = others;
if (loaded.size === 0) throw new Error("The page loaded no scripts: is it built?");

const lines: Figure[] = [...loaded].sort(largestFirst).map(([name, size]) => ({ name: `  ${name}`, value: kilobytes(size) }));
report([
  {
    name: "JavaScript of a first visit to /",
    value: kilobytes(total),
    limit: kilobytes(firstVisitLimit),
    ok: total <= firstVisitLimit,
  },
  ...lines,
  ...(largest === undefined ? [] : [largestFigure(largest)]),
]);
