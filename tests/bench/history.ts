// Compares the history's call with a bare handler of the same framework, with 10,000 people and 200,000 transcriptions.
// Run: npm run bench -- history
import { rm } from "node:fs/promises";
import { openDb } from "#server/db/open.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { milliseconds, quantile, report } from "./figures.ts";
import { fillHistories } from "./history/fill.ts";
import { connections, type Load, loadAt, loadFully, type Target } from "./history/load.ts";
import { end, headersOf, launchBare, launchProduct } from "./history/serve.ts";

/**
 * The minimum share of the bare handler's requests per second, and the maximum ms at the 99th percentile at
 * half of our rate.
 */
const shareLimit = 0.6;
const lateLimit = 50;
const people = 10_000;
const transcriptionsEach = 20;
/** The number of people who call: more than any cache of statements or pages can hold. */
const asking = 2_000;
/**
 * The seconds of each turn, and the turns of each server. They alternate, so that the machine's other work slows both.
 */
const turnSeconds = 4;
const turns = 3;
const pacedSeconds = 10;
const path = "/api/v1/audio-transcriptions/transcription-history?page=1&limit=20";

const median = (loads: readonly Load[]) =>
  quantile(
    loads.map(({ perSecond }) => perSecond),
    0.5,
  );

await using ending = new AsyncDisposableStack();
const dataDir = await makeTemporaryFolder();
ending.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
await (await openDb(dataDir)).destroy();
const all = fillHistories(dataDir, people, transcriptionsEach);
// Every fifth person: their rows are spread over the whole file.
const askers = all.filter((_, index) => index % (people / asking) === 0);
const headers = await headersOf(askers);

const product = await launchProduct(dataDir);
ending.defer(() => end(product.child));
const bare = await launchBare(dataDir);
ending.defer(() => end(bare.child));

let turn = 0;
const ours: Target = {
  url: product.url.replace("localhost", "127.0.0.1"),
  next: () => ({ path, headers: headers[turn++ % headers.length] ?? {} }),
};
const floor: Target = {
  url: bare.url,
  next: () => ({ path: `/history/${askers[turn++ % askers.length]?.id}`, headers: headers[turn % headers.length] ?? {} }),
};
const loads = { ours: [] as Load[], floor: [] as Load[] };
for (let round = 0; round <= turns; round++) {
  const ofOurs = await loadFully(ours, turnSeconds);
  const ofFloor = await loadFully(floor, turnSeconds);
  // The first round fills the caches and lets the engine compile.
  if (round === 0) continue;
  loads.ours.push(ofOurs);
  loads.floor.push(ofFloor);
}
const share = median(loads.ours) / median(loads.floor);
const paced = await loadAt(ours, median(loads.ours) / 2, pacedSeconds);
const late = quantile(paced.times, 0.99);
report([
  {
    name: `History of ${people} people with ${people * transcriptionsEach} transcriptions, requests per second against a bare handler`,
    value: `${(share * 100).toFixed(0)} %`,
    limit: `${shareLimit * 100} %`,
    ok: share >= shareLimit,
  },
  { name: `  of the history, on ${connections} connections`, value: `${median(loads.ours).toFixed(0)} per second` },
  { name: "  of the bare handler", value: `${median(loads.floor).toFixed(0)} per second` },
  {
    name: `  at half of that load (${paced.perSecond.toFixed(0)} per second), 99 %`,
    value: `${milliseconds(late)}; median ${milliseconds(quantile(paced.times, 0.5))}`,
    limit: milliseconds(lateLimit),
    ok: late <= lateLimit,
  },
]);
