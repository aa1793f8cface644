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

/** The text of the option that Enter would choose, or "" without one. */
async function active(field: Locator): Promise<string> {
  const id = await field.getAttribute("aria-activedescendant");
  return id === null ? "" : ((await field.page().locator(`[id="${id}"]`).textContent()) ?? "");
}

/** Records the name of each pressed key, and whether an input method was composing. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const listen = ({ key, isComposing }: KeyboardEvent) => Object.assign(globalThis, { lastKey: [key, isComposing] });
    document.addEventListener("keydown", listen, { capture: true });
  });
}
const lastKey = (page: Page) => page.evaluate<[string, boolean]>("globalThis.lastKey");

describe("the choice of a language with the keyboard", () => {
  test("leaves Enter, Escape and arrows to an input method until its composition ends", async () => {
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

  test("announces the highlighted option in the page's language, and why a language can't be chosen", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    // VoiceOver's users hear the highlighted option from a live region, so this imitates a Mac.
    await page.addInitScript(() => Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }));
    await openSignedIn(page, shared.server, "/voice-translator");
    await other(page).click();
    await page.locator("[aria-live=assertive]", { hasText: /^Spanish$/ }).waitFor({ state: "attached" });
    await other(page).fill("deutsch");
    await page
      .getByRole("status")
      .filter({ hasText: "German: This server can neither recognize nor translate this language" })
      .waitFor({ state: "attached" });
    await expect.poll(() => active(other(page))).toBe("");
    await other(page).fill("nonsense");
    await page.getByRole("status").filter({ hasText: "No matching language" }).waitFor();
  });
});
