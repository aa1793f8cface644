// The blog's analytics with 10,000 posts and 1,000,000 recorded views. Run: npm run bench -- blog-analytics
import type { Page } from "playwright";
import * as v from "valibot";
import { BlogAnalytics, LoginAnswer } from "#contract/index.ts";
import { openBrowser } from "#tests/browser/harness-browser.ts";
import { type Parlance, startParlance } from "#tests/browser/harness-server.ts";
import { type Figure, milliseconds, quantile, report } from "./figures.ts";
import { fillBlog } from "./many-posts.ts";

/** ms. */
const limit = 300;
const amounts = { posts: 10_000, views: 1_000_000, reactions: 50_000 };
const calls = 30;
const visits = 5;
const email = "superuser@parlance.local";

const passwordOf = (parlance: Parlance) => /password: (\S+)/.exec(parlance.log())?.[1] ?? "";

/** The ms of each call until its whole answer. The first call is left out: the server's caches are empty. */
async function measureCalls({ apiUrl }: Parlance, password: string, days: number): Promise<number[]> {
  const body = JSON.stringify({ email, password });
  const headers = { "Content-Type": "application/json" };
  const login = await fetch(`${apiUrl}/auth/login`, { method: "POST", headers, body });
  const { accessToken } = v.parse(LoginAnswer, await login.json());
  const times: number[] = [];
  for (let call = 0; call <= calls; call++) {
    const from = performance.now();
    const answer = await fetch(`${apiUrl}/admin/blog/analytics?days=${days}`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    const report = v.parse(BlogAnalytics, await answer.json());
    if (call > 0) times.push(performance.now() - from);
    const { totalPosts, totalViews } = report.overview;
    if (totalPosts !== amounts.posts || totalViews !== amounts.views) throw new Error(`The server tells of ${totalViews} views.`);
  }
  return times;
}

/** The ms that the server itself needed, from its log. */
function serversOwn(parlance: Parlance): number[] {
  const lines = parlance.log().matchAll(/"path":"\/admin\/blog\/analytics","status":200,"ms":(\d+)/g);
  return [...lines].map(([, ms]) => Number(ms));
}

async function signIn(page: Page, { url }: Parlance, password: string): Promise<void> {
  await page.goto(new URL("/signin", url).href);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard$/);
  await page.goto(new URL("/blog/admin", url).href);
}

/** The ms from the click on the link to the frame with both charts. */
async function measureVisit(page: Page): Promise<number> {
  await page.getByRole("navigation", { name: "Blog administration" }).getByRole("link", { name: "Posts" }).click();
  const link = page.getByRole("link", { name: "Analytics", exact: true });
  await link.waitFor();
  return link.evaluate(async (element: HTMLElement) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const isDrawn = () => document.querySelectorAll("canvas[role=img][width]").length >= 2;
    while (isDrawn()) await frame();
    const from = performance.now();
    element.click();
    while (!isDrawn()) await frame();
    await frame();
    return performance.now() - from;
  });
}

async function measurePage(parlance: Parlance, password: string): Promise<Figure[]> {
  await using browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  await signIn(page, parlance, password);
  const first = await measureVisit(page);
  const times: number[] = [];
  for (let visit = 0; visit < visits; visit++) times.push(await measureVisit(page));
  const value = `${milliseconds(quantile(times, 0.5))}; the first time ${milliseconds(first)}`;
  return [{ name: `  from the click to the charts, median of ${visits}`, value }];
}

await using parlance = await startParlance({ env: { LOG_LEVEL: "info" } });
const password = passwordOf(parlance);
fillBlog(parlance.dataDir, amounts);
await parlance.restart();

const figures: Figure[] = [];
for (const days of [30, 365]) {
  const times = await measureCalls(parlance, password, days);
  const slow = quantile(times, 0.95);
  const value = `${milliseconds(slow)}; median ${milliseconds(quantile(times, 0.5))}`;
  figures.push({ name: `Blog analytics, ${days} days, 95 % of ${calls}`, value, limit: milliseconds(limit), ok: slow < limit });
}
const own = serversOwn(parlance);
const value = `${milliseconds(quantile(own, 0.95))}; median ${milliseconds(quantile(own, 0.5))}`;
figures.push({ name: `  of it the server's own, 95 % of ${own.length}`, value });
report([...figures, ...(await measurePage(parlance, password))]);
