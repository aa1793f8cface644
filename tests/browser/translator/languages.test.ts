import type { Locator, Page } from "playwright-core";
import { describe, test } from "vitest";
import { expect, openPage, openSignedIn, sharedPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);
const own = (page: Page) => page.getByRole("combobox", { name: "You speak" });
const other = (page: Page) => page.getByRole("combobox", { name: "The other person speaks" });
const list = (page: Page) => page.getByRole("listbox");
const options = (page: Page) => list(page).getByRole("option");
/** Those that can be chosen: the others say why not. */
const available = (page: Page) => list(page).locator("[role=option]:not([aria-disabled])");

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

/** Edges on the screen, in px. */
async function edges(place: Locator): Promise<{ top: number; bottom: number; left: number; right: number }> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width };
}

async function isInWindow(page: Page, place: Locator): Promise<boolean> {
  const size = page.viewportSize();
  const { top, bottom, left, right } = await edges(place);
  return size !== null && top >= 0 && left >= 0 && bottom <= size.height && right <= size.width;
}

/** Whether nothing covers its upper edge. */
function isOnTop(box: Element): boolean {
  const { left, top } = box.getBoundingClientRect();
  return box.contains(document.elementFromPoint(left + 20, top + 5));
}

/** Scrolls the page until the field's lower edge is so many px above the window's. */
async function leaveBelow(field: Locator, px: number): Promise<void> {
  await field.evaluate((input, room) => scrollBy(0, input.getBoundingClientRect().bottom - innerHeight + room), px);
}

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

  test("Home and End go to the first and the last that can be chosen, Shift with them marks the text", async () => {
    const page = await openTranslator();
    await other(page).focus();
    await other(page).press("ArrowDown");
    await expect.poll(() => active(other(page))).toContain("Spanish");
    await other(page).press("Home");
    const first = await available(page).first().textContent();
    await expect.poll(() => active(other(page))).toBe(first);
    await other(page).press("End");
    const last = await available(page).last().textContent();
    await expect.poll(() => active(other(page))).toBe(last);
    expect(last).not.toBe(first);
    await other(page).fill("engl");
    await other(page).press("Shift+Home");
    await expect
      .poll(() => other(page).evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]))
      .toEqual([0, 4]);
  });

  test("Enter takes the first that can be chosen however it was come to; Escape, Tab and a click elsewhere leave all as it was", async () => {
    const page = await openTranslator();
    await other(page).click();
    await page.keyboard.type("engl");
    await page.keyboard.press("ArrowDown");
    // Finds the same as before.
    await page.keyboard.type("i");
    await expect.poll(() => active(other(page))).toContain("English");
    for (const leave of ["Escape", "Tab", "elsewhere"]) {
      await other(page).fill("engl");
      await list(page).waitFor();
      if (leave === "elsewhere") await page.getByRole("heading", { level: 1 }).click();
      else await page.keyboard.press(leave);
      await list(page).waitFor({ state: "hidden" });
      await expect(other(page)).toHaveValue("Spanish");
    }
    await other(page).fill("engl");
    await expect.poll(() => active(other(page))).toContain("English");
    await other(page).press("Enter");
    await expect(other(page)).toHaveValue("English");
    // The pointer does as well.
    await other(page).click();
    await options(page).filter({ hasText: "Spanish" }).click();
    await expect(other(page)).toHaveValue("Spanish");
    await expect(own(page)).toHaveValue("English");
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

describe("the list of languages stays on the screen", () => {
  test("it stands above the field and its name where there is no room below, and follows the page", async () => {
    const page = await openTranslator({ width: 1200, height: 700 });
    await other(page).click();
    await expect.poll(async () => (await edges(list(page))).top).toBeGreaterThanOrEqual((await edges(other(page))).bottom);
    await other(page).press("Escape");
    await page.setViewportSize({ width: 1200, height: 480 });
    await leaveBelow(other(page), 20);
    await other(page).click();
    const name = page.getByText("The other person speaks").first();
    await expect.poll(async () => (await edges(name)).top - (await edges(list(page))).bottom).toBeGreaterThanOrEqual(0);
    await expect.poll(() => isInWindow(page, list(page))).toBe(true);
    await leaveBelow(other(page), 380);
    await expect.poll(async () => (await edges(list(page))).top - (await edges(other(page))).bottom).toBeGreaterThanOrEqual(0);
    await expect.poll(() => isInWindow(page, list(page))).toBe(true);
  });

  test("on a phone it leaves room for the keyboard, with what is chosen in sight", async () => {
    const page = await openTranslator({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Back to the ordinary view" }).click();
    await leaveBelow(other(page), 600);
    await other(page).click();
    await expect.poll(() => isInWindow(page, list(page))).toBe(true);
    const before = await edges(list(page));
    // As the window gets when the keyboard comes up.
    await page.setViewportSize({ width: 390, height: 420 });
    await expect.poll(() => isInWindow(page, list(page))).toBe(true);
    const after = await edges(list(page));
    expect(after.bottom - after.top).toBeLessThan(before.bottom - before.top);
    const chosen = list(page).getByRole("option", { selected: true });
    await expect.poll(async () => (await edges(chosen)).bottom <= (await edges(list(page))).bottom).toBe(true);
    expect((await edges(chosen)).top).toBeGreaterThanOrEqual(after.top);
    // Where it stands above the field it is not under the bar with the menu.
    await other(page).press("Escape");
    await leaveBelow(other(page), 20);
    await other(page).click();
    await expect.poll(() => isInWindow(page, list(page))).toBe(true);
    await expect.poll(() => list(page).evaluate(isOnTop)).toBe(true);
  });
});
