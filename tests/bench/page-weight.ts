// The JavaScript that a first visit to / loads, and the size of the rest. Run: npm run bench -- page-weight
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "#scripts/tools.mjs";
import { openBrowser } from "#tests/browser/harness-browser.ts";
import { startParlance } from "#tests/browser/harness-server.ts";
import { type Figure, kilobytes, report } from "./figures.ts";

/** Bytes after gzip -9 until the page can be used. Libraries are three quarters of it. */
const firstVisitLimit = 150_000;
const chunkLimit = 70_000;
/**
 * Workers that the limit excludes, because they are loaded only on request: ELK's layout for the statecharts on
 * /debug/machines, and the recognizer, after the download of its model of 34 MB.
 */
const onRequest = /^(elk-worker|recogniser\.worker)/;

interface Visit {
  /** Name and bytes (gzip -9) of every script that / loads until its HTML is hydrated and answers clicks. */
  used: Map<string, number>;
  /** The scripts that it loads afterwards, until the network is idle. */
  later: Map<string, number>;
}

async function firstVisit(url: string): Promise<Visit> {
  await using browser = await openBrowser();
  const page = await browser.newPage();
  await page.addInitScript(() => addEventListener("parlance-hydrated", () => performance.mark("taken over"), true));
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (!/javascript/.test(response.headers()["content-type"] ?? "")) return;
    sizes.set(
      response.url(),
      response.body().then((body) => zipped(body)),
    );
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const late = await page.evaluate(() => {
    const [taken] = performance.getEntriesByName("taken over");
    if (taken === undefined) throw new Error("The page's HTML was not taken over.");
    const asked = performance.getEntriesByType("resource").filter(({ startTime }) => startTime >= taken.startTime);
    return asked.map(({ name }) => name);
  });
  const visit: Visit = { used: new Map(), later: new Map() };
  for (const [address, size] of sizes) {
    visit[late.includes(address) ? "later" : "used"].set(basename(new URL(address).pathname), await size);
  }
  return visit;
}

function zipped(body: Uint8Array): number {
  return gzipSync(body, { level: 9 }).length;
}

/** All chunks that / does not start with: the routes' own chunks and the ones that they share. */
async function otherChunks(loaded: ReadonlyMap<string, number>): Promise<[string, number][]> {
  const folder = join(root, "dist", "assets");
  const all = await readdir(folder);
  const names = all.filter((name) => name.endsWith(".js") && !loaded.has(name) && !onRequest.test(name));
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

const sum = (sizes: ReadonlyMap<string, number>) => [...sizes.values()].reduce((total, size) => total + size, 0);
const linesOf = (sizes: ReadonlyMap<string, number>): Figure[] =>
  [...sizes].sort(largestFirst).map(([name, size]) => ({ name: `  ${name}`, value: kilobytes(size) }));

await using parlance = await startParlance();
const { used, later } = await firstVisit(parlance.url);
const others = (await otherChunks(used)).sort(largestFirst);
const total = sum(used);
const [largest] = others;
if (used.size === 0) throw new Error("The page loaded no scripts: is it built?");

report([
  {
    name: "JavaScript of a first visit to /, until it can be used",
    value: kilobytes(total),
    limit: kilobytes(firstVisitLimit),
    ok: total <= firstVisitLimit,
  },
  ...linesOf(used),
  { name: "JavaScript that comes after that by itself", value: kilobytes(sum(later)) },
  ...linesOf(later),
  ...(largest === undefined ? [] : [largestFigure(largest)]),
]);
