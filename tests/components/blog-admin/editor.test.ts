import { beforeEach, expect, test } from "vitest";
import type { AdminBlogPost } from "#contract/index.ts";
import { openedEditor } from "#src/features/blog-admin/post-editor-actor.ts";
import { answer, holdAnswer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { listOf, post, scheduleAnswers } from "./answers.ts";

/** Waits until the previous test's editor is closed, which happens a moment after the page is left. */
const isClosed = () => expect.poll(openedEditor.get).toBeUndefined();
beforeEach(isClosed);

/** A server that stores the post. */
function keep(known: AdminBlogPost | null) {
  const sent: unknown[] = [];
  const state = { post: known };
  const save = async (request: Request) => {
    const change = await request.json();
    sent.push([request.method, change]);
    state.post = post({ ...state.post, ...change, id: "p1", revision: (state.post?.revision ?? 0) + 1 });
    return state.post;
  };
  answer({
    ...scheduleAnswers,
    "GET /admin/blog": listOf([]),
    "GET /admin/blog/slug": ({ request }) => {
      const { searchParams } = new URL(request.url);
      return { slug: searchParams.get("slug") ?? searchParams.get("title")?.toLowerCase().replaceAll(" ", "-"), free: true };
    },
    "GET /admin/blog/:id": () => (state.post === null ? refusal(404, "notFound") : state.post),
    "POST /admin/blog": async ({ request }) => Response.json(await save(request), { status: 201 }),
    "PUT /admin/blog/:id": ({ request }) => save(request),
  });
  return { sent, state };
}
async function edit(known: AdminBlogPost, path = "/admin/blog/editor?id=p1") {
  const server = keep(known);
  await openPage(path, { as: "superuser" });
  await expect.element(title).toHaveValue(known.title);
  return server;
}
const title = page.getByRole("textbox", { name: "Title" });
const text = page.getByRole("textbox", { name: "Text", exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const state = (said: string | RegExp) => page.getByRole("status").filter({ hasText: said }).first();
const topics = page.getByRole("textbox", { name: "Topics" }).or(page.getByRole("combobox", { name: "Topics" }));
const chips = () => textsOf(page.getByRole("list", { name: "Chosen topics" }).getByRole("listitem"));

test("saves a new draft automatically once it has a title, and publishes it", async () => {
  const { sent } = keep(null);
  await openPage("/blog/admin/editor", { as: "superuser" });
  await expect.element(page.getByRole("heading", { name: "New post", level: 1 })).toBeVisible();
  await expect.element(state("Nothing written yet")).toBeInTheDocument();
  await expect.element(button("Delete post")).not.toBeInTheDocument();
  await text.fill("Early");
  await expect.element(state("Stored in this browser until it has a title")).toBeInTheDocument();
  await button("Save draft").click();
  await expect.element(page.getByText("The post needs a title.")).toBeVisible();
  await title.fill("Voices");
  await expect.element(state("Available.")).toBeInTheDocument();
  await expect.element(state(/^Saved /)).toBeInTheDocument();
  await expect.poll(() => location.pathname + location.search).toBe("/blog/admin/editor?id=p1");
  expect(sent[0]).toEqual([
    "POST",
    { title: "Voices", slug: "voices", content: "Early", topics: [], status: "draft", summary: "", language: "en", cover: null },
  ]);
  await button("Publish").click();
  await expect.element(page.getByText("Published. Everyone can read it now.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "View", exact: true })).toHaveAttribute("href", "/blog/voices");
  expect(sent.at(-1)).toEqual(["PUT", expect.objectContaining({ status: "published" })]);
  await expect.element(button("Update")).toHaveAttribute("aria-disabled", "true");
  await text.fill("Earlier");
  await expect.element(state("Unpublished changes; update to publish them")).toBeInTheDocument();
  await button("Update").click();
  await expect.element(page.getByText("Updated", { exact: true })).toBeVisible();
  await button("Unpublish").click();
  await expect.element(page.getByText("Unpublished. The post is a draft again.")).toBeVisible();
  expect(sent.at(-1)).toEqual(["PUT", expect.objectContaining({ status: "draft", content: "Earlier" })]);
});

test("shows a preview of the post, and counts words and minutes", async () => {
  await edit(post({ title: "Tides", content: `# Low\n\n${"word ".repeat(329)}` }));
  await expect.element(page.getByText("330 words", { exact: true })).toBeVisible();
  await expect.element(page.getByText("2 min read")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Preview" }).getByRole("heading", { name: "Low" })).toBeVisible();
  await text.fill("one");
  await expect.element(page.getByText("1 word", { exact: true })).toBeVisible();
  await expect.element(page.getByText("1 min read")).toBeVisible();
  await text.fill("");
  await expect.element(page.getByText("Your text appears here as readers will see it.")).toBeVisible();
});

test("formats the selected text with buttons and keyboard shortcuts", async () => {
  await edit(post({ content: "early" }));
  const area = text.element();
  if (!(area instanceof HTMLTextAreaElement)) throw new Error("The text is no text area.");
  const select = (from: number, to: number) => area.setSelectionRange(from, to);
  area.focus();
  select(0, 5);
  await userEvent.keyboard("{Control>}b{/Control}");
  await expect.element(text).toHaveValue("**early**");
  await userEvent.keyboard("{Control>}i{/Control}");
  await expect.element(text).toHaveValue("***early***");
  select(3, 8);
  await button("Italic (Ctrl+I)").click();
  await expect.element(text).toHaveValue("**early**");
  select(2, 7);
  await button("Bold (Ctrl+B)").click();
  await expect.element(text).toHaveValue("early");
  const steps: [string, string][] = [
    ["Heading", "## early"],
    ["Heading", "early"],
    ["List", "- early"],
    ["List", "early"],
    ["Quote", "> early"],
    ["Quote", "early"],
    ["Code", "`early`"],
  ];
  for (const [name, expected] of steps) {
    select(0, area.value.length);
    await button(name).click();
    await expect.element(text).toHaveValue(expected);
  }
  await text.fill("https://example.org");
  select(0, 19);
  await button("Link (Ctrl+K)").click();
  await expect.element(text).toHaveValue("[](https://example.org)");
});

test("has one tab stop for the formatting buttons, and moves between them with arrow keys", async () => {
  await edit(post());
  const tools = page.getByRole("toolbar", { name: "Formatting" }).getByRole("button");
  const stops = () => tools.elements().map((one) => one.getAttribute("tabindex"));
  await expect.poll(stops).toEqual(["0", ...Array.from({ length: 7 }, () => "-1")]);
  tools.first().element().focus();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(button("Add pictures")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  await expect.element(button("Italic (Ctrl+I)")).toHaveFocus();
  await userEvent.keyboard("{End}{ArrowLeft}");
  await expect.element(button("Code")).toHaveFocus();
  await userEvent.keyboard("{Home}");
  await expect.element(button("Bold (Ctrl+B)")).toHaveFocus();
  expect(stops()[0]).toBe("0");
});

test("adds each topic once with Enter or a comma, up to the maximum, and removes topics", async () => {
  const { state: kept } = await edit(post({ topics: [] }));
  await topics.fill("Fog");
  await userEvent.keyboard("{Enter}");
  await topics.fill("boats, fog, boats,");
  await expect.poll(chips).toEqual(["Fog", "boats"]);
  await topics.fill("harbor");
  await title.click();
  await expect.poll(chips).toEqual(["Fog", "boats", "harbor"]);
  await button("Remove boats").click();
  await expect.poll(chips).toEqual(["Fog", "harbor"]);
  await expect.element(topics).toHaveFocus();
  await userEvent.keyboard("{Backspace}");
  await expect.poll(chips).toEqual(["Fog"]);
  const most = Number(/up to (\d+)\./.exec(document.body.textContent)?.[1]);
  await topics.fill(`${Array.from({ length: most + 3 }, (_, at) => `t${at}`).join(",")},`);
  await expect.poll(() => chips().length).toBe(most);
  await expect.element(topics).toBeDisabled();
  await expect.element(page.getByText(`You have reached the limit of ${most} topics.`)).toBeVisible();
  await button("Save draft").click();
  await expect.poll(() => kept.post?.topics.length).toBe(most);
});

test("validates the post's address, and derives it from the title on request", async () => {
  await edit(post({ title: "Lantern One" }));
  const slug = page.getByRole("textbox", { name: "Address" });
  await expect.element(slug).toHaveValue("lantern-one");
  await slug.fill("My Own");
  await expect.element(slug).toHaveValue("my-own");
  await expect.element(page.getByText("/blog/my-own")).toBeVisible();
  await expect.element(state("Available.")).toBeInTheDocument();
  await slug.fill("--");
  await expect.element(state("Use only lowercase letters a to z, digits and single hyphens.")).toBeInTheDocument();
  await expect.element(slug).toHaveAttribute("aria-invalid", "true");
  answer({ "GET /admin/blog/slug": { slug: "taken", free: false } });
  await slug.fill("taken");
  await expect.element(state("Another post already has this address. Choose another one.")).toBeInTheDocument();
  answer({ "GET /admin/blog/slug": { slug: "lantern-one", free: true } });
  await button("Create from title").click();
  await expect.element(slug).toHaveFocus();
  await expect.element(slug).toHaveValue("lantern-one");
});

test("shows both versions when another user saved first, and can restore the discarded one", async () => {
  const mine = post({ title: "Tides", content: "Water.", status: "published" });
  const { sent } = await edit(mine);
  const theirs = post({ ...mine, content: "Theirs.", revision: 2 });
  answer({ "PUT /admin/blog/:id": refusal(409, "conflict"), "GET /admin/blog/:id": theirs });
  await text.fill("Mine.");
  await button("Update").click();
  const conflict = page.getByRole("alert").filter({ hasText: "Someone else changed this post" });
  await expect.element(conflict.getByText("It was saved elsewhere, 1 Mar 2026, 13:00, while you were writing.")).toBeVisible();
  await expect.poll(() => textsOf(conflict.getByRole("definition"))).toEqual(["Mine.", "Theirs."]);
  await expect.element(state("Not saved: someone else saved first")).toBeInTheDocument();
  await expect.element(button("Update")).toHaveAttribute("aria-disabled", "true");
  await button("Use theirs").click();
  await expect.element(text).toHaveValue("Theirs.");
  await expect.element(conflict).not.toBeInTheDocument();
  await button("Restore").click();
  await expect.element(text).toHaveValue("Mine.");
  answer({
    "PUT /admin/blog/:id": async ({ request }) => {
      sent.push(await request.json());
      return post({ ...mine, content: "Mine.", revision: 3 });
    },
  });
  await button("Update").click();
  await expect.element(page.getByText("Updated", { exact: true })).toBeVisible();
  expect(sent.at(-1)).toMatchObject({ content: "Mine.", revision: 2, status: "published" });
});

test("keeps the text as a new draft when another user has deleted the post", async () => {
  const { sent } = await edit(post({ title: "Tides", status: "published" }));
  answer({ "PUT /admin/blog/:id": refusal(404, "notFound"), "GET /admin/blog/:id": refusal(404, "notFound") });
  await text.fill("Mine.");
  await button("Update").click();
  await expect.element(page.getByRole("heading", { name: "Someone deleted this post" })).toBeVisible();
  await expect.element(button("Keep mine")).not.toBeInTheDocument();
  await button("Save mine as a new draft").click();
  await expect.poll(() => sent.at(-1)).toEqual(["POST", expect.objectContaining({ content: "Mine.", status: "draft" })]);
});

test("says that a post could not be saved, and saves it on retry", async () => {
  await edit(post({ status: "published" }));
  answer({ "PUT /admin/blog/:id": refusal(400, "slugTaken") });
  await text.fill("Mine.");
  await button("Update").click();
  const alert = page.getByRole("alert").filter({ hasText: "What you wrote is stored in this browser." });
  await expect.element(alert).toMatchTextContent(/^Failed to save blog postAnother post already has this address\./);
  answer({ "PUT /admin/blog/:id": post({ status: "published", content: "Mine.", revision: 2 }) });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(state(/^Saved /)).toBeInTheDocument();
});

test("asks before the user leaves an unsaved post, and offers its text at the next visit", async () => {
  await edit(post({ title: "Tides", status: "published" }));
  await text.fill("Only half of");
  const leave = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await leave.getByRole("button", { name: "Stay" }).click();
  await expect.element(leave).not.toBeInTheDocument();
  expect(location.pathname).toBe("/admin/blog/editor");
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await leave.getByRole("button", { name: "Leave" }).click();
  await expect.element(page.getByRole("heading", { name: "No posts yet" })).toBeVisible();
  await isClosed();
  history.back();
  await expect.element(page.getByText("You have unsaved changes from")).toBeVisible();
  await page.getByText("Show").click();
  await expect.poll(() => textsOf(page.getByRole("definition"))).toEqual(["Only half of"]);
  await expect.element(text).toHaveValue("Light.");
  await button("Discard").click();
  await expect.element(page.getByText("You have unsaved changes from")).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
});

test("saves a draft without asking when the user leaves the editor", async () => {
  const { state: kept } = await edit(post({ title: "Tides" }));
  await text.fill("Half");
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await expect.element(page.getByRole("heading", { name: "No posts yet" })).toBeVisible();
  expect(kept.post?.content).toBe("Half");
});

test("deletes a post only after confirmation", async () => {
  await edit(post({ title: "Tides" }));
  const removed: string[] = [];
  answer({ "DELETE /admin/blog/:id": refusal(500, "internal") });
  const dialog = page.getByRole("dialog", { name: "Delete this post?" });
  await button("Delete post").click();
  await expect.element(dialog).toMatchTextContent("“Tides” will be permanently deleted, including its views and likes.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Failed to delete blog post")).toBeVisible();
  answer({
    "DELETE /admin/blog/:id": ({ params }) => {
      removed.push(String(params.id));
      return new Response(null, { status: 204 });
    },
  });
  await button("Delete post").click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Post deleted")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "No posts yet" })).toBeVisible();
  expect(location.pathname).toBe("/admin/blog");
  expect(removed).toEqual(["p1"]);
});

test("says that a post does not exist, or that it can't be fetched", async () => {
  keep(null);
  await openPage("/admin/blog/editor?id=p1", { as: "superuser" });
  const alert = page.getByRole("alert");
  await expect.element(alert).toHaveTextContent("Blog post not foundTry again");
  answer({ "GET /admin/blog/:id": lost() });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(alert).toMatchTextContent(/^Failed to fetch blog postCannot connect to server/);
  const slow = holdAnswer();
  answer({ "GET /admin/blog/:id": slow.answer });
  await alert.getByRole("button", { name: "Try again" }).click();
  slow.give(post());
  await expect.element(title).toHaveValue("Lantern One");
  await expect.element(page.getByRole("heading", { name: "Edit post", level: 1 })).toBeVisible();
});
