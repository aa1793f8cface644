// Lighthouse's scores on a phone, for the pages that visitors see first. Run: npm run bench -- lighthouse
import lighthouse from "lighthouse";
import { request } from "playwright";
import { digestOf } from "#server/blog/plain-text.ts";
import { createPost } from "#server/blog/posts.ts";
import { openDb } from "#server/db/open.ts";
import { openBrowser } from "#tests/browser/harness-browser.ts";
import { startParlance } from "#tests/browser/harness-server.ts";
import { freePort } from "#tests/fixtures/free-port.ts";
import { type Figure, quantile, report } from "./figures.ts";

/** The runs per page; their medians count. */
const runs = 5;
/** The categories with their minimum score of 100. */
const categories = [
  ["performance", 97],
  ["accessibility", 100],
  ["best-practices", 100],
  ["seo", 100],
] as const;
/** The limits with their units. The layout shift is a fraction. */
const limits = [
  ["largest-contentful-paint", 2000, " ms"],
  ["total-blocking-time", 50, " ms"],
  ["cumulative-layout-shift", 0, ""],
] as const;

interface Run {
  /** By category. */
  points: Record<string, number>;
  /** By audit. */
  values: Record<string, number>;
  /** Lighthouse's own measure of the machine's current speed. */
  machine: number;
}

/** One visit with a new profile and Lighthouse's simulated phone: 4 times slower, slow 4G. */
async function measure(url: string): Promise<Run> {
  const port = await freePort();
  const browser = await openBrowser({ args: [`--remote-debugging-port=${port}`] });
  try {
    const result = await lighthouse(url, { port, onlyCategories: categories.map(([category]) => category), logLevel: "error" });
    if (result === undefined) throw new Error("Lighthouse gave no result.");
    const { audits, environment, runtimeError } = result.lhr;
    if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
    const pointsOf = (category: string) => Math.round((result.lhr.categories[category]?.score ?? Number.NaN) * 100);
    return {
      points: Object.fromEntries(categories.map(([category]) => [category, pointsOf(category)])),
      values: Object.fromEntries(limits.map(([audit]) => [audit, audits[audit]?.numericValue ?? Number.NaN])),
      machine: environment.benchmarkIndex,
    };
  } finally {
    await browser.close();
  }
}

const shown = (value: number) => String(Math.round(value * 1000) / 1000);

function figuresOf(page: string, results: readonly Run[]): Figure[] {
  const figureOf = (name: string, values: readonly number[], limit: number, isLeast: boolean, unit = ""): Figure => {
    const median = quantile(values, 0.5);
    const ok = isLeast ? median >= limit : median <= limit;
    return {
      name: `${page}, ${name}, median of ${runs}`,
      value: shown(median) + unit,
      limit: `${limit}${unit} or ${isLeast ? "more" : "less"}`,
      ok,
    };
  };
  return [
    ...results.map(({ points, values, machine }, index) => ({
      name: `  ${page}, run ${index + 1}`,
      value: [...Object.values(points), ...Object.values(values).map(shown), `benchmark index ${machine}`].join(", "),
    })),
    ...categories.map(([category, least]) => {
      const values = results.map(({ points }) => points[category] ?? Number.NaN);
      return figureOf(category, values, least, true);
    }),
    ...limits.map(([audit, limit, unit]) => {
      const values = results.map((result) => result.values[audit] ?? Number.NaN);
      return figureOf(audit, values, limit, false, unit);
    }),
  ];
}

await using parlance = await startParlance();
const db = await openDb(parlance.dataDir);
const content = "Listening is work.\n\n## What helps\n\n- A quiet room\n- Time\n\nWhoever listens well asks little.";
const draft = {
  title: "Listening well",
  summary: "What helps.",
  topics: ["listening"],
  language: "en",
  cover: null,
  generated: false,
};
const { slug } = await createPost({ db, now: Date.now }, { ...draft, content, status: "published" }, digestOf(content), {
  authorId: null,
});
await db.destroy();
const client = await request.newContext();
for (const path of ["/", "/blog", "/signin", `/blog/${slug}`]) {
  // The first visitor's request renders the page, and all others get the cached one.
  await client.get(parlance.url + path, { headers: { Accept: "text/html" } });
  const results: Run[] = [];
  for (let run = 0; run < runs; run++) results.push(await measure(parlance.url + path));
  report(figuresOf(path.startsWith("/blog/") ? "A post" : path, results));
}
await client.dispose();
