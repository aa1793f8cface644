import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
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
const english = (page: Page) => half(page, 0).getByRole("button", { name: /^English/ });

/** Opens the translator on a phone. */
async function openOnPhone(): Promise<Page> {
  const { page } = await pages.begin(async (_, opened) => {
    await opened.setViewportSize(phone);
    return "/voice-translator";
  });
  await view(page).waitFor();
  return page;
}

test("shows both users a face-to-face conversation in their own languages on a phone, and saves the turn", async () => {
  const page = await openOnPhone();
  await expect(half(page, 1)).toContainText(/Este servidor no reconoce el habla en .*español/);
  expect(await violations(page)).toEqual([]);
  await english(page).click();
  await half(page, 1)
    .getByText(/tiempo/)
    .waitFor();
  await half(page, 0).getByText(microphoneEnd).waitFor();
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-turn]")).toHaveCount(1);
  await expect(view(page)).toBeVisible();
});
