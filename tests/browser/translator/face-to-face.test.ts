import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { microphoneEnd } from "#tests/fixtures/audio/texts.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks } } });
const pages = sharedPage(shared);
const phone = { width: 390, height: 844 };

const view = (page: Page) => page.getByRole("dialog", { name: "Face to face" });
const half = (page: Page, side: 0 | 1) => page.getByTestId(`half-${side}`);
const close = (page: Page) => view(page).getByRole("button", { name: "Back to the ordinary view" });
const english = (page: Page) => half(page, 0).getByRole("button", { name: /^English/ });
const other = (page: Page) => page.getByRole("combobox", { name: "The other person speaks" });

/** On a phone from the start. */
async function openOnPhone(): Promise<Page> {
  const { page } = await pages.begin(async (_, opened) => {
    await opened.setViewportSize(phone);
    return "/voice-translator";
  });
  await view(page).waitFor();
  return page;
}

/** Whether all of it is in the window. */
function isInWindow(box: Element): boolean {
  const { top, bottom, left, right } = box.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}

/** How far its end is below what is shown of it (px). */
const behind = (box: Element) => box.scrollHeight - box.clientHeight - box.scrollTop;
const wordsIn = (place: Locator) => place.locator("section");
const hasFocus = (page: Page) => view(page).evaluate((box) => box.contains(document.activeElement));

test("on a phone it opens face to face: two halves, the far one on its head and in its reader's language, and a button to close", async () => {
  const page = await openOnPhone();
  const [own, far] = [half(page, 0), half(page, 1)];
  await expect(far).toHaveAttribute("data-texts", "es");
  await expect(far).toHaveAttribute("lang", "es");
  await expect(far).toContainText("La traducción aparece aquí.");
  await expect(far).toContainText(/Este servidor no reconoce el habla en .*español/);
  await expect(own).toHaveAttribute("lang", "en");
  await expect(own).toContainText("Your words appear here.");
  await expect(far).toHaveCSS("rotate", "180deg");
  for (const each of [own, far]) await expect.poll(() => each.evaluate(isInWindow)).toBe(true);
  const edges = await Promise.all([own, far].map((each) => each.boundingBox()));
  expect(edges[1]?.y).toBeLessThan(edges[0]?.y ?? 0);
  await expect.poll(() => view(page).evaluate((box) => box.getBoundingClientRect().height)).toBe(phone.height);
  await expect(view(page).getByRole("button")).toHaveCount(2);
  expect(await violations(page)).toEqual([]);
  // On its side: all of both halves, too.
  await page.setViewportSize({ width: 844, height: 390 });
  for (const each of [own, far, english(page), close(page)]) await expect.poll(() => each.evaluate(isInWindow)).toBe(true);
});

test("the keyboard stays in it, and closing it leads to the ordinary view, which is remembered", async () => {
  const page = await openOnPhone();
  await expect(english(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(close(page)).toBeFocused();
  for (let steps = 0; steps < 3; steps += 1) {
    await page.keyboard.press("Tab");
    expect((await hasFocus(page)) || (await page.evaluate(() => document.activeElement === document.body))).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(view(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.reload();
  await other(page).waitFor();
  await expect(view(page)).toHaveCount(0);
  const opens = page.getByRole("button", { name: "Face to face" });
  await opens.click();
  await close(page).click();
  await expect(opens).toBeFocused();
});

test("each half shows its newest words, and what was said before is a scroll away", async () => {
  const page = await openOnPhone();
  await close(page).click();
  await page.getByRole("switch", { name: "Speak translations aloud" }).uncheck();
  for (const [index, text] of ["Buenos días.", "Muchas gracias.", "Hasta mañana."].entries()) {
    await page.getByRole("textbox", { name: "Type in Spanish" }).fill(text);
    await page.getByRole("button", { name: "Translate", exact: true }).click();
    await expect(page.locator("[data-turn]")).toHaveCount(index + 1);
  }
  await page.setViewportSize({ width: 390, height: 560 });
  await page.getByRole("button", { name: "Face to face" }).click();
  await english(page).click();
  await half(page, 1)
    .getByText(/tiempo/)
    .waitFor();
  await half(page, 0).getByText(microphoneEnd).waitFor();
  await expect(half(page, 1)).toContainText("Escuchando en inglés");
  for (const side of [0, 1] as const) await expect.poll(() => wordsIn(half(page, side)).evaluate(behind)).toBeLessThan(2);
  await expect(half(page, 1)).toContainText("Buenos días.");
  // Escape ends the recording before it closes anything.
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-turn]")).toHaveCount(4);
  await expect(view(page)).toBeVisible();
  const words = wordsIn(half(page, 1));
  await words.evaluate((box) => box.scrollTo(0, 0));
  await half(page, 1).getByRole("button", { name: "A lo último que se dijo" }).click();
  await expect.poll(() => words.evaluate(behind)).toBeLessThan(2);
});
