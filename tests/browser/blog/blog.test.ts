import type { Page } from "playwright";
import { afterAll, beforeAll, test } from "vitest";
import { digestOf } from "#server/blog/plain-text.ts";
import { createPost, type Draft } from "#server/blog/posts.ts";
import { type Db, openDb } from "#server/db/open.ts";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance();
const dayMs = 86_400_000;
/** More posts than fit on one page. */
const many = 14;
let db: Db | undefined;
let clock = Date.parse("2026-09-01T09:00:00Z");

const text = `A cup of tea.

<script>window.ran = true;</script>
<img src="x" onerror="window.ran = true">

## How to make it

Press [here](javascript:window.ran=true) or [read on](/blog/about-tea-1).

![Elsewhere](https://pictures.example/tea.png)

| Tea | Minutes |
|---|---|
| Green | 2 |
`;

async function write(draft: Partial<Draft> & { title: string }) {
  if (db === undefined) throw new Error("There is no database yet.");
  clock += dayMs;
  const whole: Draft = {
    summary: "",
    content: text,
    topics: ["Tea"],
    language: "en",
    cover: null,
    generated: false,
    status: "published",
    ...draft,
  };
  return createPost({ db, now: () => clock }, whole, digestOf(whole.content), { authorId: null });
}

beforeAll(async () => {
  db = await openDb(shared.server.dataDir);
  for (let number = 1; number <= many; number++) await write({ title: `About tea ${number}` });
  await write({ title: "Kaffee am Morgen", topics: ["Coffee"], language: "de" });
  await write({ title: "Coffee by a machine", topics: ["Coffee"], generated: true });
});
afterAll(() => db?.destroy());

const posts = (page: Page) => page.getByTestId("posts");
const titles = (page: Page) => posts(page).getByRole("heading", { level: 2 });
const like = (page: Page) => page.getByRole("button", { name: /^Like/ });
const dislike = (page: Page) => page.getByRole("button", { name: /^Dislike/ });
const counts = (page: Page) => page.getByRole("status").filter({ hasText: "dislike" });
/** Waits until both buttons show this reaction. */
async function reactionIs(page: Page, reaction: "like" | "dislike" | "none"): Promise<void> {
  await expect(like(page)).toHaveAttribute("aria-pressed", String(reaction === "like"));
  await expect(dislike(page)).toHaveAttribute("aria-pressed", String(reaction === "dislike"));
}
const stored = (title: string) =>
  db?.selectFrom("blog_posts").select(["likes", "dislikes", "views"]).where("title", "=", title).executeTakeFirst();

// SPEC 2 Public routes: "/blog | Blog list"
// SPEC 2 Public routes: "/blog/{slug} | Blog post"
test("lets a visitor filter posts, read one, change their reaction, and find it again after a reload", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/"));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Blog" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Blog" }).waitFor();
  await page.getByText(`${many + 2} posts, page 1 of 2`).waitFor();
  await expect
    .poll(() => page.getByRole("region", { name: "Popular posts" }).getByRole("listitem").count())
    .toBeGreaterThanOrEqual(5);

  // So slow that the loading screen replaces the page in between.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 30 });
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText(`page 2 of 2`).waitFor();
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await expect(page.getByRole("link", { name: "Page 2" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("link", { name: "Page 1" })).not.toHaveAttribute("aria-current");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.goBack();
  await page.getByText(`page 1 of 2`).waitFor();

  const filter = page.getByRole("main").getByText(/^Filter/);
  await filter.click();
  await page.getByLabel("Coffee").check();
  await page.getByText("2 posts", { exact: true }).waitFor();
  await page.getByRole("main").getByLabel("Language").selectOption("en");
  await page.getByText("1 post", { exact: true }).waitFor();
  await expect(titles(page)).toHaveText(["Coffee by a machine"]);
  await expect(page).toHaveURL(/\?topics=Coffee&language=en$/);
  await page.reload();
  await page.getByText("1 post", { exact: true }).waitFor();
  await filter.click();
  await page.getByLabel("Written by").selectOption("People");
  await page.getByRole("heading", { name: "No posts match these filters" }).waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByText("2 posts", { exact: true }).waitFor();
  await page.goForward();
  await page.getByText("1 post", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove English" }).waitFor();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await page.getByText(`${many + 2} posts`).waitFor();

  await page.getByRole("link", { name: "Coffee by a machine" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Coffee by a machine" }).waitFor();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(page).toHaveTitle("Coffee by a machine · Parlance");
  await page.getByText("This post was written by a language model.").waitFor();
  await page.getByRole("heading", { level: 2, name: "How to make it" }).waitFor();
  await expect(page.getByRole("link", { name: "here", exact: true })).toHaveCount(0);
  await expect(page.getByRole("link", { name: /Picture “Elsewhere” on pictures.example/ })).toHaveAttribute("rel", /noopener/);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  await expect.poll(() => stored("Coffee by a machine")).toMatchObject({ views: 1 });

  await like(page).click();
  await reactionIs(page, "like");
  await expect.poll(() => stored("Coffee by a machine")).toMatchObject({ likes: 1, dislikes: 0 });
  await dislike(page).click();
  await expect.poll(() => stored("Coffee by a machine")).toMatchObject({ likes: 0, dislikes: 1 });
  await expect(counts(page)).toHaveText("0 likes, 1 dislike");
  await page.reload();
  await reactionIs(page, "dislike");
  await dislike(page).click();
  await expect.poll(() => stored("Coffee by a machine")).toMatchObject({ likes: 0, dislikes: 0, views: 1 });
  await page.reload();
  await reactionIs(page, "none");

  await page.getByRole("link", { name: "read on" }).click();
  await page.getByRole("heading", { level: 1, name: "About tea 1", exact: true }).waitFor();
  await page.getByRole("link", { name: "All posts" }).click();
  await page.getByRole("heading", { level: 1, name: "Blog" }).waitFor();
});
