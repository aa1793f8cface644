// Measures typing into the search of 100,000 transcriptions, compared with an input on an empty page. Run: npm run
// bench -- search
import type { Page } from "playwright";
import { signUp } from "#tests/browser/harness-account.ts";
import { openBrowser } from "#tests/browser/harness-browser.ts";
import { type Parlance, startParlance } from "#tests/browser/harness-server.ts";
import { type Figure, milliseconds, quantile, report } from "./figures.ts";
import { type FakeHistory, fakeHistory, manyTranscriptions, rareWord } from "./many.ts";

/** Keystroke to paint at the 95th percentile, relative to an empty page; no task of the page takes 50 ms. */
const limit = 1.5;
const slowdown = 4;
const count = 100_000;
/**
 * The maximum bytes of rows that the first word's search may fetch: some pages of matches of a history of 70 million
 * bytes.
 */
const fetchLimit = 1_000_000;
/** The ms between keystrokes: 100 words a minute. */
const pace = 120;
const terms = ["harbor", "library because", "medicine her answer"] as const;

interface Typing {
  /** The ms from each key to the next frame. */
  toPaint: number[];
  longTasks: number[];
}

/** A page with a search field and its clocks. */
interface Field {
  type(term: string): Promise<void>;
  collect(): Promise<Typing>;
}

async function watch(page: Page): Promise<Field> {
  const session = await page.context().newCDPSession(page);
  const seen = await page.evaluateHandle(() => {
    const typing = { toPaint: [] as number[], longTasks: [] as number[] };
    addEventListener(
      "keydown",
      (event) => {
        requestAnimationFrame(() => {
          // A message arrives after the frame has been painted; a second animation frame would come one frame later.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => typing.toPaint.push(performance.now() - event.timeStamp);
          port2.postMessage(null);
        });
      },
      { capture: true },
    );
    const tasks = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) typing.longTasks.push(entry.duration);
    });
    tasks.observe({ type: "longtask" });
    return { typing, tasks };
  });
  return {
    type: async (term) => {
      await page.bringToFront();
      await page.locator("input[type=search]").focus();
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      await page.keyboard.type(term, { delay: pace });
      for (const _ of term) await page.keyboard.press("Backspace", { delay: pace });
      // Deferred work finishes before the other page has its turn.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    },
    collect: () => seen.evaluate(({ typing }) => typing),
  };
}

async function openHistory(page: Page, parlance: Parlance, history: FakeHistory): Promise<void> {
  await page.route(/\/transcription-history\?/, history.answer);
  await signUp(page, parlance.url);
  await page.getByRole("list", { name: "Transcripts" }).getByRole("listitem").first().waitFor();
}

/**
 * Searches for the oldest transcription, which is on the last page.
 * @returns the bytes fetched for it
 */
async function findRare(page: Page, history: FakeHistory): Promise<number> {
  const before = history.bytes();
  const field = page.locator("input[type=search]");
  await field.fill(rareWord);
  await page
    .getByText(String(count - 1))
    .first()
    .waitFor();
  await field.fill("");
  return history.bytes() - before;
}

function judge(ours: Typing, theirs: Typing): Figure[] {
  const [p95, floor] = [quantile(ours.toPaint, 0.95), quantile(theirs.toPaint, 0.95)];
  const ratio = p95 / floor;
  const both = (values: readonly number[]) =>
    `${milliseconds(quantile(values, 0.95))}, median ${milliseconds(quantile(values, 0.5))}`;
  return [
    {
      name: `Keystroke to paint, ${count} transcriptions, CPU 1/${slowdown}, 95 % of ${ours.toPaint.length}, against an empty page`,
      value: `${ratio.toFixed(2)} times`,
      limit: `${limit} times`,
      ok: ours.toPaint.length > 0 && ratio <= limit,
    },
    { name: "  of the search", value: both(ours.toPaint) },
    { name: "  of a field alone", value: both(theirs.toPaint) },
    {
      name: "Long tasks while typing",
      value: ours.longTasks.length === 0 ? "none" : ours.longTasks.map((duration) => milliseconds(duration)).join(", "),
      limit: "none",
      ok: ours.longTasks.length === 0,
    },
  ];
}

/** The reference. */
const emptyPage = "<!doctype html><title>A field</title><input type=search>";

await using parlance = await startParlance();
await using browser = await openBrowser();
const empty = await browser.newPage({ viewport: { width: 1200, height: 800 } });
await empty.setContent(emptyPage);
const crowded = await browser.newPage({ viewport: { width: 1200, height: 800 } });
const history = fakeHistory(manyTranscriptions(count));
await openHistory(crowded, parlance, history);
const fetched = await findRare(crowded, history);
const fields = { floor: await watch(empty), search: await watch(crowded) };
for (const term of terms) {
  // They alternate, so that the machine's other work slows both.
  await fields.floor.type(term);
  await fields.search.type(term);
}
report([
  ...judge(await fields.search.collect(), await fields.floor.collect()),
  {
    name: "Fetched by the first search, of one of them",
    value: `${fetched} bytes`,
    limit: `${fetchLimit} bytes`,
    ok: fetched <= fetchLimit,
  },
]);
