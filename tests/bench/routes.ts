// Measures navigation from route to route, compared with a bare page with the same libraries and as many elements. Run:
// npm run bench -- routes
import type { Browser, Page } from "playwright";
import * as v from "valibot";
import { signUp } from "#tests/browser/harness-account.ts";
import { openBrowser } from "#tests/browser/harness-browser.ts";
import { type Parlance, startParlance } from "#tests/browser/harness-server.ts";
import { type BuiltPage, serveBuiltPage } from "./built-page.ts";
import { milliseconds, quantile, report } from "./figures.ts";
import { fakeHistory, manyTranscriptions } from "./many.ts";

/** The limit at the 95th percentile, relative to a bare page. */
const limit = 1.3;
const routes = ["/speech-to-text", "/dashboard"] as const;
/**
 * The changes on one page before the other has its turn, and the turns of each. They alternate, so that the machine's
 * other work slows both.
 */
const changesInTurn = 10;
const turns = 8;
/** Rows of the history. */
const rows = 20;

interface RouteChange {
  /** The ms from the click on a link until the layout of the other route's content. */
  laidOut: number;
  /** The ms until the frame that shows it: up to 16.7 ms more, while it waits for the display. */
  painted: number;
}

function changeRoute(page: Page, path: string): Promise<RouteChange> {
  return page.evaluate((wanted) => {
    const heading = () => document.querySelector("main h1")?.textContent;
    const before = heading();
    const link = document.querySelector<HTMLAnchorElement>(`a[href="${wanted}"]`);
    if (link === null) throw new Error(`There is no link to ${wanted}.`);
    const { promise, resolve } = Promise.withResolvers<RouteChange>();
    const begun = performance.now();
    const observer = new MutationObserver(() => {
      const shown = heading();
      if (location.pathname !== wanted || shown === undefined || shown === before) return;
      observer.disconnect();
      document.body.getBoundingClientRect();
      const laidOut = performance.now() - begun;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve({ laidOut, painted: performance.now() - begun });
        port2.postMessage(null);
      });
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    link.click();
    return promise;
  }, path);
}

/** The number of elements around the pages, and in each of the two. */
const Counts = v.object({ shell: v.number(), main: v.number() });

function countElements(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const main = document.querySelectorAll("main *").length;
    return { shell: document.querySelectorAll("body *").length - main, main };
  });
}

/** Navigates there and back for as many changes as a turn has. */
async function takeTurn(page: Page): Promise<RouteChange[]> {
  const times: RouteChange[] = [];
  for (let change = 0; change < changesInTurn; change++) times.push(await changeRoute(page, routes[change % 2] ?? routes[0]));
  return times;
}

async function openProduct(browser: Browser, parlance: Parlance): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  await page.route(/\/transcription-history\?/, fakeHistory(manyTranscriptions(rows)).answer);
  await signUp(page, parlance.url);
  await page.getByRole("list", { name: "Transcripts" }).getByRole("listitem").first().waitFor();
  return page;
}

async function openBare(browser: Browser, bare: BuiltPage, product: Page): Promise<Page> {
  const dashboard = v.parse(Counts, await countElements(product));
  await changeRoute(product, routes[0]);
  const speech = v.parse(Counts, await countElements(product));
  await changeRoute(product, routes[1]);
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  const query = `shell=${dashboard.shell}&first=${speech.main}&second=${dashboard.main}`;
  await page.goto(`${bare.url}/dashboard?${query}`);
  await page.locator("main h1").waitFor();
  return page;
}

const both = (values: readonly number[]) =>
  `${milliseconds(quantile(values, 0.95))}, median ${milliseconds(quantile(values, 0.5))}`;

await using parlance = await startParlance();
await using bare = await serveBuiltPage("bare");
await using browser = await openBrowser();
const product = await openProduct(browser, parlance);
const floor = await openBare(browser, bare, product);
const ours: RouteChange[] = [];
const theirs: RouteChange[] = [];
for (let turn = 0; turn <= turns; turn++) {
  const there = await takeTurn(product);
  const here = await takeTurn(floor);
  // The first turn warms each route.
  if (turn === 0) continue;
  ours.push(...there);
  theirs.push(...here);
}
const laidOut = (times: readonly RouteChange[]) => times.map((time) => time.laidOut);
const ratio = quantile(laidOut(ours), 0.95) / quantile(laidOut(theirs), 0.95);
report([
  {
    name: `Warm route change, 95 % of ${ours.length}, against a bare page with as many elements`,
    value: `${ratio.toFixed(2)} times`,
    limit: `${limit} times`,
    ok: ratio <= limit,
  },
  { name: "  until it is laid out", value: both(laidOut(ours)) },
  { name: "  of the bare page", value: both(laidOut(theirs)) },
  { name: "  until the frame that shows it is painted", value: both(ours.map((time) => time.painted)) },
]);
