// Measures the search in all transcripts, with 10,000 people and 200,000 transcriptions in the index, and for one more
// person with 20,000. Run: npm run bench -- search-said
import { rm } from "node:fs/promises";
import { openDb } from "#server/db/open.ts";
import { createLog } from "#server/log/log.ts";
import { threadProgram, threadTasks } from "#server/processes/thread-tasks.ts";
import { createSearchIndex } from "#server/search/indexing.ts";
import { openThreads } from "#server/threads/threads.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { milliseconds, quantile, report } from "./figures.ts";
import { fillHistories } from "./history/fill.ts";
import { loadAt, loadFully, type Target } from "./history/load.ts";
import { end, headersOf, launchProduct } from "./history/serve.ts";
import { words } from "./many.ts";

const people = 10_000;
const transcriptionsEach = 20;
const most = 20_000;
/** The seconds of requests at full speed, and at a fixed rate. */
const [fullSeconds, pacedSeconds] = [5, 10];
/**
 * The limits in ms for 95 % of the searches: short enough to feel instant. For the person with 20,000, every word
 * matches thousands.
 */
const limits = { usual: 100, most: 500 };

/**
 * Builds everyone's index, as a server does after an update.
 * @returns seconds
 */
async function indexAll(dataDir: string): Promise<number> {
  const db = await openDb(dataDir);
  const threads = openThreads(threadTasks, threadProgram);
  const begun = performance.now();
  await createSearchIndex({ db, threads, log: createLog("error", Date.now) }).catchUp({ ms: Number.POSITIVE_INFINITY });
  const seconds = (performance.now() - begun) / 1000;
  await threads.close();
  await db.destroy();
  return seconds;
}

/** Searches for two words that are in most texts, with other words each time. */
function targetOf(url: string, headers: readonly Record<string, string>[]): Target {
  let turn = 0;
  const word = (at: number) => words[at % words.length] ?? "";
  return {
    url: url.replace("localhost", "127.0.0.1"),
    next: () => {
      turn += 1;
      const q = encodeURIComponent(`${word(turn)} ${word(turn * 7 + 3)}`);
      return { path: `/api/v1/audio-transcriptions/search?q=${q}`, headers: headers[turn % headers.length] ?? {} };
    },
  };
}

await using ending = new AsyncDisposableStack();
const dataDir = await makeTemporaryFolder();
ending.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
await (await openDb(dataDir)).destroy();
const all = fillHistories(dataDir, people, transcriptionsEach);
const diligent = fillHistories(dataDir, 1, most, 1);
const indexSeconds = await indexAll(dataDir);

const product = await launchProduct(dataDir);
ending.defer(() => end(product.child));
// Every fifth person: their passages are spread over the whole file.
const usual = targetOf(product.url, await headersOf(all.filter((_, index) => index % 5 === 0)));
const alone = targetOf(product.url, await headersOf(diligent));
// The first second fills the caches and lets the engine compile.
await loadFully(usual, 1);
const full = await loadFully(usual, fullSeconds);
const paced = await loadAt(usual, full.perSecond / 2, pacedSeconds);
const slow = await loadAt(alone, 2, pacedSeconds);
const count = people * transcriptionsEach + most;
const late = { usual: quantile(paced.times, 0.95), most: quantile(slow.times, 0.95) };
report([
  {
    name: `Search in what was said, ${people} people with ${transcriptionsEach} transcriptions each, 95 % at half of the load that it can bear`,
    value: `${milliseconds(late.usual)}; median ${milliseconds(quantile(paced.times, 0.5))}`,
    limit: milliseconds(limits.usual),
    ok: late.usual <= limits.usual,
  },
  { name: "  searches that it can bear", value: `${full.perSecond.toFixed(0)} per second` },
  {
    name: `  of somebody with ${most}, 95 % at two per second`,
    value: `${milliseconds(late.most)}; median ${milliseconds(quantile(slow.times, 0.5))}`,
    limit: milliseconds(limits.most),
    ok: late.most <= limits.most,
  },
  {
    name: `  writing the index of ${count} transcriptions`,
    value: `${indexSeconds.toFixed(0)} s, ${(count / indexSeconds).toFixed(0)} per second`,
  },
]);
