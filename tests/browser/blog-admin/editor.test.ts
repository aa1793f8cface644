import type { Page } from "playwright";
import { test } from "vitest";
import { enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

// A superuser's work on the blog's pages, with the real server.

const shared = sharedParlance();
const at = shared.at;

/** A picture of one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const enter = (page: Page) => enterAsSuperuser(page, shared.server);
const text = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });
const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const state = (page: Page, words: string | RegExp) => page.getByRole("status").filter({ hasText: words }).first().waitFor();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Pastes a picture from the clipboard. */
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

// SPEC 8: "or a placeholder image URL"
test("writes a post with the keyboard, pastes a picture, and publishes the post for everybody", async () => {
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
  await state(page, "Available.");
  await state(page, /^Saved /);
  await expect(text(page)).toHaveValue("It is **early**");
  await expect(page).toHaveURL(/[?&]id=/);
  // The text field was not replaced, so the browser's own undo still works.
  await page.keyboard.press("End");
  await page.keyboard.type(" now");
  await page.keyboard.press("Control+z");
  await expect(text(page)).not.toHaveValue(/ now/);

  await page.route("**/admin/blog/upload-image", (route) => route.abort());
  await paste(page, "boats.png");
  await page.getByText("A placeholder stands in for it, and the picture is stored in this browser", { exact: false }).waitFor();
  await expect(text(page)).toHaveValue(/\]\(\/images\/placeholder\.svg\?/);
  await page.unroute("**/admin/blog/upload-image");
  await button(page, "Try again").click();
  await expect(text(page)).toHaveValue(/!\[\]\(http\S+\/blog\/images\/\S+#1x1\)/);
  await page.getByLabel("What does the picture show?").fill("Boats in fog");
  await page.keyboard.press("Enter");
  await expect(text(page)).toHaveValue(/!\[Boats in fog\]\(http/);
  await page.getByRole("img", { name: "Boats in fog" }).waitFor();

  await button(page, "Publish").press("Enter");
  await page.getByText("Published. Everyone can read it now.").waitFor();
  await using reader = await openPage(shared.browser);
  await reader.page.goto(at("/blog/voices-at-the-harbor"));
  await reader.page.getByRole("heading", { name: "Voices at the harbor" }).waitFor();
  await reader.page.getByRole("img", { name: "Boats in fog" }).waitFor();
});

test("offers unsaved text after a reload", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  page.on("dialog", (dialog) => dialog.accept());
  await enter(page);
  // Blocks the request that saves the post.
  await page.route(/\/admin\/blog$/, (route) => (route.request().method() === "POST" ? undefined : route.continue()));
  await page.goto(at("/admin/blog/editor"));
  await title(page).fill("Half a thought");
  await text(page).fill("Only half of");
  await page.reload();
  await page.getByText("You have unsaved changes from", { exact: false }).waitFor();
  await page.getByText("Show").click();
  await page.getByRole("definition").filter({ hasText: "Only half of" }).waitFor();
  await expect(text(page)).toHaveValue("");
  await button(page, "Restore").click();
  await expect(text(page)).toHaveValue("Only half of");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
