import type { Page } from "playwright-core";
import { test } from "vitest";
import { AdminBlogPost } from "#contract/index.ts";
import { enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { asPerson, type Person, read } from "#tests/server/harness.ts";

// What a superuser does with the blog on the page, against the real server.

const shared = sharedParlance();
const at = shared.at;

/** One pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Signs the superuser in. @returns who may call the API as they do */
async function enter(page: Page): Promise<Person> {
  await enterAsSuperuser(page, shared.server);
  return asPerson(shared.server, String(await page.evaluate(() => localStorage.getItem("jwtToken"))));
}

const text = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });
const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const state = (page: Page, words: string | RegExp) => page.getByRole("status").filter({ hasText: words }).first().waitFor();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** As somebody does who has copied a picture. */
function paste(page: Page, name: string): Promise<void> {
  return text(page).evaluate(
    (area, file) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([Uint8Array.from(file.bytes)], file.name, { type: "image/png" }));
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { name, bytes: [...png] },
  );
}

/** @returns the new post's id */
async function make(person: Person, post: Record<string, unknown>): Promise<string> {
  return (await read(await person.call("POST", "/admin/blog", post), 201, AdminBlogPost)).id;
}

test("writes with the keyboard, pastes a picture, publishes, and everybody reads it", async () => {
  await using visit = await openPage(shared.browser, { expected: [/ERR_FAILED/] });
  const { page } = visit;
  await enter(page);
  await page.goto(at("/blog/admin"));
  await page.getByRole("heading", { name: "No posts yet" }).waitFor();
  await page.getByRole("link", { name: "New post" }).press("Enter");
  await title(page).fill("Voices at the harbor");
  await text(page).focus();
  await page.keyboard.type("It is ");
  await page.keyboard.press("Control+b");
  await page.keyboard.type("early");
  await state(page, "It is free.");
  await state(page, /^Saved,/);
  await expect(text(page)).toHaveValue("It is **early**");
  await expect(page).toHaveURL(/[?&]id=/);
  // The field is still the same: the browser's own undo goes on.
  await page.keyboard.press("End");
  await page.keyboard.type(" now");
  await page.keyboard.press("Control+z");
  await expect(text(page)).not.toHaveValue(/ now/);

  await page.route("**/admin/blog/upload-image", (route) => route.abort());
  await paste(page, "boats.png");
  await page.getByText("A placeholder stands in its place", { exact: false }).waitFor();
  await expect(text(page)).toHaveValue(/\]\(\/images\/placeholder\.svg\?/);
  await page.unroute("**/admin/blog/upload-image");
  await button(page, "Try again").click();
  await expect(text(page)).toHaveValue(/!\[\]\(http\S+\/blog\/images\/\S+#1x1\)/);
  await page.getByLabel("What does the picture show?").fill("Boats in fog");
  await page.keyboard.press("Enter");
  await expect(text(page)).toHaveValue(/!\[Boats in fog\]\(http/);
  await page.getByRole("img", { name: "Boats in fog" }).waitFor();

  await button(page, "Publish").press("Enter");
  await page.getByText("Published. Everybody can read it now.").waitFor();
  await using reader = await openPage(shared.browser);
  await reader.page.goto(at("/blog/voices-at-the-harbor"));
  await reader.page.getByRole("heading", { name: "Voices at the harbor" }).waitFor();
  await reader.page.getByRole("img", { name: "Boats in fog" }).waitFor();
});

test("a reload gives back what was not saved, and leaving with it asks", async () => {
  await using visit = await openPage(shared.browser, { expected: [/ERR_FAILED|409/] });
  const { page } = visit;
  page.on("dialog", (dialog) => dialog.accept());
  await enter(page);
  // The server never hears of it.
  await page.route(/\/admin\/blog$/, (route) => (route.request().method() === "POST" ? undefined : route.continue()));
  await page.goto(at("/admin/blog/editor"));
  await title(page).fill("Half a thought");
  await text(page).fill("Only half of");
  await page.reload();
  await page.getByText("You have unsaved changes from", { exact: false }).waitFor();
  await page.getByText("Look at them").click();
  await page.getByRole("definition").filter({ hasText: "Only half of" }).waitFor();
  await expect(text(page)).toHaveValue("");
  await button(page, "Take them").click();
  await expect(text(page)).toHaveValue("Only half of");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  await page.unrouteAll();
  await page.route("**/admin/blog", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Stay" }).click();
  await expect(page).toHaveURL(/\/admin\/blog\/editor(\?|$)/);
  await expect(text(page)).toHaveValue("Only half of");
  // A draft that can be saved is saved on the way, without a question.
  await page.unrouteAll();
  await button(page, "Save draft").click();
  await state(page, /^Saved,/);
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await page.getByRole("rowheader", { name: "Half a thought" }).waitFor();
  await expect(page).toHaveURL(/\/admin\/blog(\?|$)/);
});

test("two who write the same post see the conflict, and neither text is lost", async () => {
  await using visit = await openPage(shared.browser, { expected: [/409/] });
  const { page } = visit;
  const person = await enter(page);
  const id = await make(person, { title: "Tides", content: "Water.", status: "published" });
  await page.goto(at(`/blog/admin/editor?id=${id}`));
  await text(page).fill("Mine.");
  await read(await person.call("PUT", `/admin/blog/${id}`, { content: "Theirs." }), 200, AdminBlogPost);
  await button(page, "Update").click();
  const conflict = page.getByRole("alert").filter({ hasText: "Somebody else has changed this post" });
  await conflict.getByRole("definition").filter({ hasText: "Mine." }).last().waitFor();
  await conflict.getByRole("definition").filter({ hasText: "Theirs." }).last().waitFor();
  await button(page, "Take theirs").click();
  await expect(text(page)).toHaveValue("Theirs.");
  await button(page, "Take them").click();
  await expect(text(page)).toHaveValue("Mine.");
  await button(page, "Update").click();
  await page.getByText("Updated", { exact: true }).waitFor();
  const now = await read(await person.call("GET", `/admin/blog/${id}`), 200, AdminBlogPost);
  expect(now).toMatchObject({ content: "Mine.", status: "published" });
});

test("finds posts, publishes several, and deletes them once it was asked", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const person = await enter(page);
  for (const name of ["One", "Two", "Three"])
    await make(person, { title: `Lantern ${name}`, content: "Light.", topics: ["lanterns"], status: "draft" });
  await page.goto(at("/admin/blog?search=lantern&status=draft"));
  await page.getByText("3 posts", { exact: true }).waitFor();
  await page.getByLabel("Select Lantern Two").check();
  await page.getByLabel("Select all on this page").check();
  await page.getByText("3 selected").waitFor();
  await page.getByLabel("Select Lantern One").uncheck();
  await button(page, "Publish").click();
  await page.getByText("2 posts published.").waitFor();
  await page.getByText("1 post", { exact: true }).waitFor();

  await page.getByLabel("Status").selectOption("All");
  await page.getByText("3 posts", { exact: true }).waitFor();
  await expect(page).toHaveURL(/\?search=lantern$/);
  await page.getByLabel("Select all on this page").check();
  await button(page, "Delete").click();
  const dialog = page.getByRole("dialog", { name: "Delete 3 posts?" });
  await dialog.getByText("“Lantern One”", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("3 selected").waitFor();
  await button(page, "Delete").click();
  await dialog.getByRole("button", { name: "Delete 3 posts" }).click();
  await page.getByText("3 posts deleted.").waitFor();
  await page.getByRole("heading", { name: "Nothing found" }).waitFor();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
