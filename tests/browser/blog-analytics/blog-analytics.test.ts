import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { test } from "vitest";
import { AdminBlogPost, LoginAnswer } from "#contract/index.ts";
import { enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance();
const email = "superuser@parlance.local";
const password = () => /password: (\S+)/.exec(shared.server.log())?.[1] ?? "";

async function post(path: string, body: unknown, token = ""): Promise<unknown> {
  const headers = { "Content-Type": "application/json", ...(token !== "" && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${shared.server.apiUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** A post with a title that a spreadsheet would run, read by three and liked by one. */
async function fillBlog(): Promise<void> {
  const { accessToken } = v.parse(LoginAnswer, await post("/auth/login", { email, password: password() }));
  const draft = { title: "=1+1, or not", content: "Text", topics: ["sums"], status: "published" };
  const { id } = v.parse(AdminBlogPost, await post("/admin/blog", draft, accessToken));
  for (const name of ["ada", "bob", "cyd"]) await post(`/blog/${id}/view`, { userId: `reader-${name}` });
  await post(`/blog/${id}/like`, { userId: "reader-ada" });
}

const card = (page: Page, label: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator("dd")
    .first();

/** All that is drawn. */
const picture = (page: Page, name: RegExp) =>
  page.getByRole("img", { name }).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

async function download(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

test("shows what readers have really done: as numbers, charts, tables and files", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await enterAsSuperuser(page, shared.server);
  await page.goto(shared.at("/blog/admin/analytics"));
  await page.getByText("There are no posts yet").waitFor();
  await expect(card(page, "Views")).toHaveText("0");
  const blank = await picture(page, /^Views on each of the last 30 days/);

  await fillBlog();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(card(page, "Views")).toHaveText("3");
  await expect(card(page, "Likes")).toHaveText("1");
  await expect(card(page, "Engagement rate")).toHaveText("33.3%");
  await expect.poll(() => picture(page, /^Views on each of the last 30 days/)).not.toBe(blank);
  await page
    .getByRole("row", { name: "=1+1, or not 3 1 0 13" })
    .getByRole("link", { name: "=1+1, or not", exact: true })
    .waitFor();

  await page.getByRole("link", { name: "7 days", exact: true }).click();
  await page.waitForURL(/\/blog\/admin\/analytics\?days=7$/);
  await page.getByText("In 7 days · Views: 3 · Likes: 1 · Dislikes: 0").waitFor();
  await page.getByText("Show as a table").last().click();
  const table = page.getByRole("table", { name: "Likes and dislikes on each of the last 7 days" });
  await expect(table.getByRole("row")).toHaveCount(8);
  await expect(table.getByRole("row").last().getByRole("cell")).toHaveText(["1", "0"]);

  const days = await download(page, "Download days (CSV)");
  expect(days.name).toMatch(/^parlance-blog-days-\d{4}-\d\d-\d\d\.csv$/);
  expect(days.text).toMatch(/^\uFEFFdate,views,likes,dislikes\r\n(?:\d{4}-\d\d-\d\d,0,0,0\r\n){6}\d{4}-\d\d-\d\d,3,1,0\r\n$/);
  const top = await download(page, "Download top posts (CSV)");
  expect(top.text).toMatch(/,"'=1\+1, or not",1-1-or-not,3,1,0,13\r\n$/);

  const light = await picture(page, /^Views on each/);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => picture(page, /^Views on each/)).not.toBe(light);
});

test("sample data is named as such wherever it stands, and gives way to what is real", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/, /500/] });
  const { page } = visit;
  await enterAsSuperuser(page, shared.server);
  const call = `${shared.server.apiUrl}/admin/blog/analytics?days=30`;
  await page.route(call, (route) => route.fulfill({ status: 404 }));
  await page.goto(shared.at("/admin/blog/analytics"));
  const alert = page.getByRole("alert").filter({ hasText: "These numbers are made up." });
  await alert.getByText("This server offers no analytics.").waitFor();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "OverviewSample data",
    "Engagement by daySample data",
    "Top postsSample data",
    "Top topicsSample data",
    "Recent activitySample data",
  ]);
  await page.getByText("Show as a table").first().click();
  await expect(page.getByRole("table", { name: "Views on each of the last 7 days" }).getByRole("row")).toHaveCount(8);
  await expect(page.getByRole("button", { name: /CSV/ })).toHaveCount(0);

  await page.unroute(call);
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByText(/^In 30 days ·/).waitFor();
  await expect(page.getByText("Sample data")).toHaveCount(0);

  await page.route(call, (route) => route.fulfill({ status: 500 }));
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("alert").getByText("Failed to fetch blog analytics", { exact: true }).waitFor();
  await page.getByText("What you see here are the numbers from before.").waitFor();
  await page.reload();
  await page.getByRole("alert").getByText("Failed to fetch blog analytics", { exact: true }).waitFor();
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(0);
});
