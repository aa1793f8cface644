// The page of a transcript of three hours (3,000 segments, 30,000 words). Run: npm run bench -- transcript
import type { Page } from "playwright";
import { openBrowser, openPage, signUp, startParlance } from "#tests/browser/harness.ts";
import { longTalk, putTranscript } from "#tests/browser/harness-transcript.ts";
import { type Figure, milliseconds, quantile, report } from "./figures.ts";

const count = 3_000;
const seconds = 10_800;

/** ms, for a built page, with the server and the browser on the same two cores. */
const limits = { open: 2_500, follow: 50, word: 8, seek: 250, find: 250, replace: 400, edit: 250 };

/** The browser's threshold of a long task, during which input is not handled. */
interface Tasks {
  longest: number;
  total: number;
}

/**
 * Collects the long tasks (over 50 ms) from now on.
 * @returns a function that stops collecting
 */
async function watchTasks(page: Page): Promise<() => Promise<Tasks>> {
  const watch = await page.evaluateHandle(() => {
    const durations: number[] = [];
    const observer = new PerformanceObserver((list) => durations.push(...list.getEntries().map(({ duration }) => duration)));
    observer.observe({ type: "longtask" });
    return { durations, observer };
  });
  return () =>
    watch.evaluate(({ durations, observer }) => {
      durations.push(...observer.takeRecords().map(({ duration }) => duration));
      observer.disconnect();
      return { longest: Math.max(0, ...durations), total: durations.length };
    });
}

/** ms from a person's action until `selector` is drawn. */
async function until(page: Page, act: () => Promise<unknown>, selector: string): Promise<number> {
  await page.evaluate(() => performance.mark("begun"));
  await act();
  await page.waitForFunction((wanted) => document.querySelector(wanted) !== null, selector, { polling: "raf" });
  return page.evaluate(() => performance.measure("taken", "begun").duration);
}

/**
 * The scripting, styling and layout of the page for each spoken word that it follows.
 * @param rate of the player
 */
async function following(
  page: Page,
  rate: number,
  playSeconds: number,
): Promise<{ perWord: number; tasks: Tasks; words: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return 1000 * (value("ScriptDuration") + value("RecalcStyleDuration") + value("LayoutDuration"));
  };
  const at = async () => Number(await page.getByRole("slider", { name: "Position" }).inputValue());
  const end = await watchTasks(page);
  const [from, before] = [await at(), await busy()];
  await page.waitForFunction(
    (until) => Number(document.querySelector<HTMLInputElement>("input[type=range]")?.value) >= until,
    from + playSeconds * rate,
    {
      timeout: 120_000,
    },
  );
  const spent = (await busy()) - before;
  const words = ((await at()) - from) / 0.36;
  return { perWord: spent / words, tasks: await end(), words };
}

const figure = (name: string, value: number, limit: number): Figure => ({
  name,
  value: milliseconds(value),
  limit: milliseconds(limit),
  ok: value <= limit,
});

await using server = await startParlance();
await using browser = await openBrowser();
await using visit = await openPage(browser);
const { page } = visit;
await signUp(page, server.url);
const path = await putTranscript(server, page, { segments: longTalk(count), audioSeconds: seconds });
const address = new URL(path, server.url).href;

const opened: number[] = [];
const events = page.waitForResponse(/\/events$/);
for (let round = 0; round < 3; round++) {
  await page.goto(address, { waitUntil: "commit" });
  await page.locator("li[data-index='0'] [data-start]").first().waitFor();
  opened.push(await page.evaluate(() => performance.now()));
}

// Waits until the work of opening the page is done.
await events;
await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
const slider = page.getByRole("slider", { name: "Position" });
await page.getByRole("combobox", { name: "Speed" }).selectOption("2");
await page
  .locator("li[data-index='3'] [data-start]")
  .first()
  .click({ modifiers: ["Alt"] });
await page.getByRole("button", { name: "Pause" }).waitFor();
const follow = await following(page, 2, 20);
const seeks: number[] = [];
for (const share of [0.5, 0.9, 0.1, 0.75, 0.3]) {
  const index = Math.floor(count * share);
  seeks.push(await until(page, () => slider.fill(String(index * 3.6 + 0.1)), `li[data-index="${index}"] [class*=spoken]`));
}
await page.keyboard.press("Alt+k");

await page.keyboard.press("Alt+r");
const field = page.getByRole("searchbox", { name: "Find" });
await field.waitFor();
const endFind = await watchTasks(page);
const found = await until(page, () => field.fill("bridge"), "mark[class*=current]");
const finding = await endFind();
await page.getByLabel("Replace with").fill("tunnel");
const endReplace = await watchTasks(page);
const replaced = await until(
  page,
  () => page.getByRole("button", { name: "Replace all" }).click(),
  "button[aria-label^='Undo: replacement']",
);
await page.getByText("Saving…").waitFor({ state: "detached" });
const replacing = await endReplace();
await page.keyboard.press("Escape");

await page.evaluate(() => scrollTo(0, 0));
const row = page.locator("li[data-index='1']");
await row.getByRole("button", { name: /^Correct/ }).click();
await page.keyboard.press("ControlOrMeta+A");
await page.keyboard.type("Something else");
const endEdit = await watchTasks(page);
const edited = await until(page, () => page.keyboard.press("Enter"), "button[aria-label^='Undo: correction']");
await row.getByText("Something else").waitFor();
await page.getByText("Saving…").waitFor({ state: "detached" });
const editing = await endEdit();

const longest = ({ longest: value, total }: Tasks) => `${milliseconds(value)} (${total} over 50 ms)`;
report([
  figure("Transcript of three hours, opened until it is read", quantile(opened, 0.5), limits.open),
  { name: "  words followed", value: follow.words.toFixed(0) },
  figure("Following it, work for each word", follow.perWord, limits.word),
  {
    name: "Following it, longest task",
    value: longest(follow.tasks),
    limit: milliseconds(limits.follow),
    ok: follow.tasks.longest <= limits.follow,
  },
  figure("Another place chosen until it is marked", quantile(seeks, 0.5), limits.seek),
  figure("A word found", found, limits.find),
  figure("A word replaced everywhere, until it is shown", replaced, limits.replace),
  figure("A passage corrected, until it is shown", edited, limits.edit),
  { name: "  longest task while finding", value: longest(finding) },
  { name: "  longest task while replacing and saving", value: longest(replacing) },
  { name: "  longest task while correcting and saving", value: longest(editing) },
]);
