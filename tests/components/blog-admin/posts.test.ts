import { expect, test } from "vitest";
import type { BlogSummary } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { optionsOf, textsOf } from "#tests/components/harness-texts.ts";
import { listOf, post, scheduleAnswers } from "./answers.ts";

const three = [
  post(),
  post({ id: "p2", title: "Lantern Two", slug: "lantern-two", status: "published", generated: true, topics: [], language: "de" }),
  post({ id: "p3", title: "Lantern Three", slug: "lantern-three", updatedAt: null }),
];

/**
 * Opens the list of posts.
 * @returns the queries of its requests
 */
async function open(posts: BlogSummary[] = three, search = "", total = posts.length): Promise<string[]> {
  const asked: string[] = [];
  answer({
    ...scheduleAnswers,
    "GET /admin/blog": ({ request }) => {
      const { search: query, searchParams } = new URL(request.url);
      asked.push(query);
      return listOf(posts, total, Number(searchParams.get("page")));
    },
  });
  await openPage(`/admin/blog${search}`, { as: "superuser" });
  await expect.element(page.getByRole("heading", { name: "Scheduled posting" })).toBeVisible();
  return asked;
}
const table = page.getByRole("table", { name: "Posts" });
const rows = () => textsOf(table.getByRole("row")).slice(1);
const bar = page.getByRole("region", { name: "Actions for selected posts" });
const tick = (name: string) => page.getByRole("checkbox", { name, exact: true });

test("lists posts with their state, topics and numbers", async () => {
  const asked = await open();
  await expect.element(page.getByText("3 posts", { exact: true })).toBeVisible();
  expect(rows()).toEqual([
    "Select Lantern One Lantern One Draft English lanterns, light 1,234 2 1 Mar 2026, 13:00",
    "Select Lantern Two Lantern Two Published AI German – 1,234 2 1 Mar 2026, 13:00",
    "Select Lantern Three Lantern Three Draft English lanterns, light 1,234 2 –",
  ]);
  expect(asked).toEqual(["?page=1&limit=20"]);
  await expect
    .element(page.getByRole("link", { name: "Lantern Two", exact: true }))
    .toHaveAttribute("href", "/admin/blog/editor?id=p2");
  await expect.element(page.getByRole("link", { name: "Edit Lantern One" })).toHaveAttribute("href", "/admin/blog/editor?id=p1");
  await expect.element(page.getByRole("link", { name: "View Lantern Two" })).toHaveAttribute("href", "/blog/lantern-two");
  await expect.element(page.getByRole("link", { name: "View Lantern One" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Write post" })).toHaveAttribute("href", "/admin/blog/editor");
  await expect.element(page.getByRole("main").getByRole("link", { name: "Dashboard" })).toBeVisible();
});

test("shows the same pages under the other path prefix, without a link to the dashboard", async () => {
  answer({ ...scheduleAnswers, "GET /admin/blog": listOf(three) });
  await openPage("/blog/admin", { as: "superuser" });
  await expect.element(page.getByRole("link", { name: "Edit Lantern One" })).toHaveAttribute("href", "/blog/admin/editor?id=p1");
  await expect.element(page.getByRole("main").getByRole("link", { name: "Dashboard" })).not.toBeInTheDocument();
  await expect
    .element(page.getByRole("main").getByRole("link", { name: "Posts", exact: true }))
    .toHaveAttribute("aria-current", "page");
});

test("searches and filters posts, and keeps the choices in the address", async () => {
  const asked = await open(three, "?page=2");
  await page.getByRole("searchbox", { name: "Search" }).fill("lantern");
  await expect.poll(() => location.search).toBe("?search=lantern");
  await page.getByLabelText("Status").selectOptions("Drafts");
  await page.getByLabelText("Topic").selectOptions("lanterns");
  await page.getByLabelText("Language").last().selectOptions("German");
  await page.getByLabelText("Written by").selectOptions("People");
  await expect.poll(() => location.search).toBe("?search=lantern&status=draft&topic=lanterns&language=de&generated=no");
  await expect
    .poll(() => asked.at(-1))
    .toBe("?page=1&limit=20&search=lantern&status=draft&topics=lanterns&language=de&generated=false");
  expect(asked[0]).toBe("?page=2&limit=20");
  await page.getByLabelText("Written by").selectOptions("AI");
  await expect.poll(() => asked.at(-1)).toMatch(/&generated=true$/);
  expect(optionsOf("Status")).toEqual(["All", "Drafts", "Published"]);
  expect(optionsOf("Topic")).toEqual(["All topics", "lanterns"]);
  expect(optionsOf("Written by")).toEqual(["Anyone", "AI", "People"]);
});

test("says that no post matches, and shows all posts when the filters are cleared", async () => {
  await open([], "?search=x&topic=fog&language=fr");
  await expect.element(page.getByRole("heading", { name: "No results" })).toBeVisible();
  expect(optionsOf("Topic")).toEqual(["All topics", "fog", "lanterns"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.element(page.getByRole("searchbox", { name: "Search" })).toHaveFocus();
  await expect.poll(() => location.search).toBe("");
  await expect.element(page.getByRole("heading", { name: "No posts yet" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Generate post" })).toHaveAttribute("href", "/admin/blog/generator");
  await expect.element(page.getByRole("button", { name: "Clear filters" })).not.toBeInTheDocument();
});

test("goes from page to page of the list of posts", async () => {
  const asked = await open(three, "?status=draft", 41);
  const pager = page.getByRole("navigation", { name: "Pages of the list" });
  await expect.element(pager.getByText("Page 1 of 3")).toBeVisible();
  await expect.element(pager.getByRole("link", { name: "Previous" })).not.toBeInTheDocument();
  await pager.getByRole("link", { name: "Next" }).click();
  await pager.getByRole("link", { name: "Next" }).click();
  await expect.element(pager.getByText("Page 3 of 3")).toBeVisible();
  await expect.element(pager.getByRole("link", { name: "Next" })).not.toBeInTheDocument();
  await pager.getByRole("link", { name: "Previous" }).click();
  await expect.poll(() => asked.at(-1)).toBe("?page=2&limit=20&status=draft");
});

test("selects posts one by one, or all posts of the page", async () => {
  await open();
  const all = tick("Select all on this page");
  await tick("Select Lantern Two").click();
  await expect.element(bar.getByText("1 selected")).toBeVisible();
  await expect.element(all).toBePartiallyChecked();
  await all.click();
  await expect.element(bar.getByText("3 selected")).toBeVisible();
  await expect.element(all).toBeChecked();
  await tick("Select Lantern One").click();
  await expect.element(bar.getByText("2 selected")).toBeVisible();
  await all.click();
  await all.click();
  await expect.element(bar).not.toBeInTheDocument();
  await all.click();
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
});

test("publishes and unpublishes several posts without confirmation", async () => {
  await open();
  const sent: unknown[] = [];
  const slow = holdAnswer();
  answer({
    "POST /admin/blog/bulk": async ({ request }) => {
      sent.push(await request.json());
      return slow.answer();
    },
  });
  await tick("Select Lantern One").click();
  await tick("Select Lantern Two").click();
  await bar.getByRole("button", { name: "Publish", exact: true }).click();
  await expect.element(page.getByText("Publishing: 0 of 2")).toBeVisible();
  await expect.element(page.getByRole("progressbar", { name: "Progress" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Delete Lantern One" })).toHaveAttribute("aria-disabled", "true");
  slow.give({ done: ["p1", "p2"] });
  await expect.element(page.getByText("2 posts published.")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect.element(page.getByText("2 posts published.")).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  answer({
    "POST /admin/blog/bulk": async ({ request }) => {
      sent.push(await request.json());
      return { done: [] };
    },
  });
  await page.getByRole("button", { name: "Unpublish Lantern Two" }).click();
  await expect.element(page.getByText("1 no longer existed: “Lantern Two”.")).toBeVisible();
  expect(sent).toEqual([
    { ids: ["p1", "p2"], action: "publish" },
    { ids: ["p2"], action: "unpublish" },
  ]);
});

test("deletes posts only after a confirmation that names the first five", async () => {
  const many = Array.from({ length: 7 }, (_, at) => post({ id: `p${at}`, title: `Post ${at}` }));
  await open(many);
  await tick("Select all on this page").click();
  await bar.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 7 posts?" });
  await expect
    .element(dialog)
    .toMatchTextContent(
      "Permanently deleted, including views and likes: “Post 0”, “Post 1”, “Post 2”, “Post 3”, “Post 4”, and 2 more.",
    );
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(bar.getByText("7 selected")).toBeVisible();
  const sent: unknown[] = [];
  answer({
    "POST /admin/blog/bulk": async ({ request }) => {
      const { ids, action } = await request.json();
      sent.push(action);
      return { done: ids };
    },
    "GET /admin/blog": listOf([]),
  });
  await bar.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete 7 posts" }).click();
  await expect.element(page.getByText("7 posts deleted.")).toBeVisible();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await expect.element(page.getByRole("heading", { name: "No posts yet" })).toBeVisible();
  expect(sent).toEqual(["delete"]);
});

test("says which action failed for which posts, and retries it", async () => {
  await open();
  answer({ "POST /admin/blog/bulk": refusal(500, "internal") });
  await page.getByRole("button", { name: "Publish Lantern One" }).click();
  const alert = page.getByRole("alert");
  await expect.element(alert).toMatchTextContent(/^Failed to publish blog posts: “Lantern One” Something went wrong/);
  answer({ "POST /admin/blog/bulk": { done: ["p1"] } });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("1 post published.")).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
});

test("changes posts one by one when the server has no bulk call", async () => {
  await open();
  const sent: unknown[] = [];
  answer({
    "POST /admin/blog/bulk": new Response(null, { status: 404 }),
    "PUT /admin/blog/:id": async ({ request, params }) => {
      sent.push(params.id, await request.json());
      return post();
    },
    "DELETE /admin/blog/:id": ({ params }) => {
      sent.push(`delete ${params.id}`);
      return new Response(null, { status: 204 });
    },
  });
  await page.getByRole("button", { name: "Publish Lantern Three" }).click();
  await expect.element(page.getByText("1 post published.")).toBeVisible();
  await page.getByRole("button", { name: "Unpublish Lantern Two" }).click();
  await expect.element(page.getByText("1 post unpublished.")).toBeVisible();
  await page.getByRole("button", { name: "Delete Lantern One" }).click();
  await page.getByRole("dialog", { name: "Delete 1 post?" }).getByRole("button", { name: "Delete 1 post" }).click();
  await expect.element(page.getByText("1 post deleted.")).toBeVisible();
  expect(sent).toEqual(["p3", { status: "published" }, "p2", { status: "draft" }, "delete p1"]);
});

test("says that posts can't be fetched, and fetches them on retry", async () => {
  answer({ ...scheduleAnswers, "GET /admin/blog": refusal(500, "internal") });
  await openPage("/admin/blog", { as: "superuser" });
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to fetch blog posts/);
  answer({ "GET /admin/blog": listOf(three) });
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("3 posts", { exact: true })).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
