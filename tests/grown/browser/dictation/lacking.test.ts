import type { Page } from "playwright-core";
import { test } from "vitest";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";

const shared = sharedParlance();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a browser that shares no sound, and has no window on top, says so; the captions cover the page instead", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.addInitScript(() => {
    Reflect.deleteProperty(MediaDevices.prototype, "getDisplayMedia");
    Reflect.deleteProperty(globalThis, "documentPictureInPicture");
  });
  await openSignedIn(page, shared.server, "/speech-to-text");
  await page.getByText("This browser does not give pages the sound of a tab.").waitFor();
  await expect(page.getByRole("option", { name: "The sound of a tab" })).toBeDisabled();
  await page.goto(new URL("/voice-translator", shared.server.url).href);
  await button(page, "Captions on top").click();
  const dialog = page.getByRole("dialog", { name: "Captions" });
  await dialog.getByText("This browser has no window that stays on top of others").waitFor();
  await expect(button(page, "Close the captions").last()).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "captions-over-page");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button(page, "Captions on top")).toBeFocused();
});
