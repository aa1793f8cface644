import type { Locator, Page } from "playwright";
import { describe, test } from "vitest";
import { expect, openPage, openSignedIn, sharedPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);
const own = (page: Page) => page.getByRole("combobox", { name: "You speak" });
const other = (page: Page) => page.getByRole("combobox", { name: "The other person speaks" });
const list = (page: Page) => page.getByRole("listbox");

async function openTranslator(size?: { width: number; height: number }): Promise<Page> {
  const { page } = await pages.begin(async (_, opened) => {
    if (size !== undefined) await opened.setViewportSize(size);
    return "/voice-translator";
  });
  await other(page).waitFor();
  return page;
}

/** The text of the option that Enter would choose; "" when there is none. */
async function active(field: Locator): Promise<string> {
  const id = await field.getAttribute("aria-activedescendant");
  return id === null ? "" : ((await field.page().locator(`[id="${id}"]`).textContent()) ?? "");
}

/** Keeps the name of each key that was pressed, and whether an input method was composing. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const listen = ({ key, isComposing }: KeyboardEvent) => Object.assign(globalThis, { lastKey: [key, isComposing] });
    document.addEventListener("keydown", listen, { capture: true });
  });
}
const lastKey = (page: Page) => page.evaluate<[string, boolean]>("globalThis.lastKey");

describe("a language is found with the keyboard", () => {
  test("and an input method's Enter, Escape and arrows are its own until it has composed", async () => {
    const page = await openTranslator();
    const keyboard = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      keyboard.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await other(page).click();
    for (const text of ["e", "en", "eng", "engl"]) await compose(text);
    await expect.poll(() => active(other(page))).toContain("English");
    await watchKeys(page);
    await page.keyboard.press("Enter");
    expect(await lastKey(page)).toEqual(["Enter", true]);
    for (const key of ["ArrowDown", "ArrowUp", "Escape"]) await page.keyboard.press(key);
    await expect(list(page)).toBeVisible();
    expect(await active(other(page))).toContain("English");
    await expect(own(page)).toHaveValue("English");
    await keyboard.send("Input.insertText", { text: "engl" });
    await expect(other(page)).toHaveValue("engl");
    await page.keyboard.press("Enter");
    await list(page).waitFor({ state: "hidden" });
    await expect(other(page)).toHaveValue("English");
    await expect(own(page)).toHaveValue("Spanish");
  });

  test("what is found is said: the option in the page's language, and why nothing can be chosen", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    // As VoiceOver's users have it, who hear the highlighted option from a live region.
    await page.addInitScript(() => Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }));
    await openSignedIn(page, shared.server, "/voice-translator");
    await other(page).click();
    await page.locator("[aria-live=assertive]", { hasText: /^Spanish$/ }).waitFor({ state: "attached" });
    await other(page).fill("deutsch");
    await page.getByRole("status").filter({ hasText: "German: This server has no engine" }).waitFor({ state: "attached" });
    await expect.poll(() => active(other(page))).toBe("");
    await other(page).fill("nonsense");
    await page.getByRole("status").filter({ hasText: "No such language" }).waitFor();
  });
});
