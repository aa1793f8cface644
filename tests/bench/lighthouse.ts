// Lighthouse's performance on a phone, for /. Run: npm run bench -- lighthouse
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromiumFlags, chromiumPath } from "#tests/browser/harness-browser.ts";
import { startParlance } from "#tests/browser/harness-server.ts";
import { quantile, report } from "./figures.ts";

/** Points of 100, the median of so many runs (issue 2, "Speed"). */
const limit = 97;
const runs = 5;

const printed = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"] as const;

interface Run {
  points: number;
  details: string;
}

/** One visit with a fresh profile and Lighthouse's own phone: 4 times slower, slow 4G. */
async function measure(url: string): Promise<Run> {
  // Chromium leaves a folder behind when it is killed, as chrome-launcher does.
  const temporary = await mkdtemp(join(tmpdir(), "parlance-lighthouse-"));
  const chrome = await launch({
    chromePath: chromiumPath(),
    chromeFlags: ["--headless=new", ...chromiumFlags],
    envVars: { ...process.env, TMPDIR: temporary },
    logLevel: "silent",
  });
  try {
    const result = await lighthouse(url, { port: chrome.port, onlyCategories: ["performance"], logLevel: "error" });
    const points = result?.lhr.categories.performance?.score;
    if (result === undefined || points === null || points === undefined) throw new Error("Lighthouse gave no points.");
    const { audits, runtimeError } = result.lhr;
    if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
    return {
      points: Math.round(points * 100),
      details: printed.map((id) => `${id} ${audits[id]?.displayValue ?? "?"}`).join(", "),
    };
  } finally {
    const ended = once(chrome.process, "exit");
    chrome.kill();
    await ended;
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

await using parlance = await startParlance();
const results: Run[] = [];
for (let run = 0; run < runs; run++) results.push(await measure(parlance.url));

const median = quantile(
  results.map((result) => result.points),
  0.5,
);
report([
  ...results.map((result, index) => ({ name: `  run ${index + 1}`, value: `${result.points}; ${result.details}` })),
  { name: `Lighthouse, phone, median of ${runs}`, value: String(median), limit: `${limit} or more`, ok: median >= limit },
]);
