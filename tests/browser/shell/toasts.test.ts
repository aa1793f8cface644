import type { Browser, Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, test } from "vitest";
import { root } from "#scripts/tools.mjs";
import { expect, openBrowser, openPage } from "#tests/browser/harness.ts";

// SPEC.md section 9, "Toast durations" and "Toast limits".

let browser: Browser;
let vite: ViteDevServer;
// The page's modules under their own names: only so can a test say something as the page does.
beforeAll(async () => {
  vite = await createServer({ root, logLevel: "silent", server: { port: 0, strictPort: false, hmr: false } });
  await vite.listen();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await vite?.close();
});

const messages = (page: Page) => page.locator(".Toastify__toast");

/** As a text: the test runner would make something else of an import in a function. */
const say = (page: Page, ...toasts: object[]) =>
  page.evaluate(`import("/src/browser/toasts.ts").then(({ toast }) => ${JSON.stringify(toasts)}.forEach((it) => toast(it)))`);

async function openTerms(page: Page): Promise<void> {
  await page.goto(new URL("/terms", vite.resolvedUrls?.local[0]).href);
  await page.locator("h1").waitFor();
}

/** Milliseconds from now until the message with this text goes. */
async function lifeOf(page: Page, text: string): Promise<number> {
  const begin = performance.now();
  const message = messages(page).filter({ hasText: text });
  await message.waitFor();
  await message.waitFor({ state: "detached" });
  return performance.now() - begin;
}

describe("messages", () => {
  test("stay for 2 s when it worked and 4 s when it did not, or while somebody is at them, at the top right", async () => {
    await using visit = await openPage(browser);
    const { page } = visit;
    await openTerms(page);
    await say(
      page,
      { kind: "success", key: "toast.saved" },
      { kind: "error", key: "toast.signOutFailed" },
      { kind: "plain", key: "toast.copied" },
    );
    const lives = await Promise.all(["Saved.", "Logout failed", "Copied."].map((text) => lifeOf(page, text)));
    // With the time that they take to come and go.
    for (const [index, wanted] of [2_000, 4_000, 4_000].entries()) {
      expect(lives[index]).toBeGreaterThan(wanted - 300);
      expect(lives[index]).toBeLessThan(wanted + 1_900);
    }

    await say(page, { kind: "success", key: "toast.saved" });
    const message = messages(page).first();
    await message.hover();
    await page.waitForTimeout(2_800);
    await expect(message).toBeVisible();
    const box = await message.boundingBox();
    expect(1200 - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(40);
    expect(box?.y).toBeLessThan(120);
    await page.mouse.move(10, 700);
    await message.getByRole("button", { name: "Close" }).focus();
    await page.waitForTimeout(2_800);
    await expect(message).toBeVisible();
    await page.keyboard.press("Enter");
    await message.waitFor({ state: "detached" });
  });

  test("of what is under way stay until it is settled, and become success or error", async () => {
    await using visit = await openPage(browser);
    const { page } = visit;
    await openTerms(page);
    await page.evaluate(`import("/src/browser/loading-toast.ts").then(({ loadingToast }) => {
      window.first = loadingToast({ key: "toast.signingOut" });
      window.second = loadingToast({ key: "loading" });
    })`);
    const shown = messages(page);
    await expect(shown).toHaveCount(2);
    await page.waitForTimeout(6_000);
    await expect(shown).toHaveCount(2);
    await page.evaluate(`window.first.settle({ kind: "success", key: "toast.saved" })`);
    expect(await lifeOf(page, "Saved.")).toBeLessThan(3_900);
    await expect(shown).toHaveCount(1);
    await page.evaluate(`window.second.settle({ kind: "error", key: "toast.signOutFailed" })`);
    const failed = shown.and(page.getByRole("alert")).filter({ hasText: "Logout failed" });
    await failed.waitFor();
    await failed.getByRole("button", { name: "Close" }).click();
    await failed.waitFor({ state: "detached" });
  });

  test("are twenty at most, each once, and are read out", async () => {
    await using visit = await openPage(browser);
    const { page } = visit;
    await openTerms(page);
    const failed = Array.from({ length: 25 }, (_, index) => ({
      kind: "error",
      key: "errors.providerFailed",
      values: { provider: `No. ${index}` },
    }));
    await say(page, ...failed, ...failed.slice(0, 5));
    await expect(messages(page)).toHaveCount(20);
    const texts = await messages(page).allTextContents();
    expect(new Set(texts).size).toBe(20);
    await expect(messages(page).and(page.getByRole("alert"))).toHaveCount(20);
    await page.getByText("No. 24 authentication failed").waitFor();
  });
});
