import type { Page } from "playwright";
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

/** Publishes a post with three views and one like. */
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

/** The drawn pixels of a chart. */
const picture = (page: Page, name: RegExp) =>
  page.getByRole("img", { name }).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

test("shows the readers' real activity as numbers, charts and tables", async () => {
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

  const light = await picture(page, /^Views on each/);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => picture(page, /^Views on each/)).not.toBe(light);
});
