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

/**
 * Opens a page on which no time passes for toasts but by `pass`. A toast's timer is an animation of the browser, which the library pauses
 * and resumes; it begins when the toast has come.
 */
async function openTerms(page: Page): Promise<void> {
  await page.clock.install();
  await page.addInitScript((timer) => {
    document.addEventListener("animationstart", ({ target, animationName }) => {
      if (animationName !== timer || !(target instanceof Element)) return;
      for (const animation of target.getAnimations()) {
        animation.playbackRate = 0;
        animation.currentTime = 0;
      }
    });
  }, timerName);
  await page.goto(new URL("/terms", vite.resolvedUrls?.local[0]).href);
  await page.locator("h1").waitFor();
}

const timerName = "Toastify__trackProgress";

/** Waits until as many timers of toasts run, each of them in the hands of `pass`, and the others are paused. */
const untilRunning = (page: Page, count: number) =>
  expect
    .poll(() =>
      page.evaluate((timer) => {
        const isTimer = (it: Animation) => it instanceof CSSAnimation && it.animationName === timer;
        return document.getAnimations().filter((it) => isTimer(it) && it.playState === "running" && it.playbackRate === 0).length;
      }, timerName),
    )
    .toBe(count);

/** Lets time pass (milliseconds): for the page's own timers, and for the toasts whose timers run. */
async function pass(page: Page, ms: number): Promise<void> {
  await page.clock.fastForward(ms);
  await page.evaluate(
    async ({ timer, ms }) => {
      for (const animation of document.getAnimations()) {
        if (!(animation instanceof CSSAnimation) || animation.animationName !== timer) continue;
        if (animation.playState !== "running") continue;
        const time = Number(animation.currentTime) + ms;
        if (time < Number(animation.effect?.getComputedTiming().endTime)) animation.currentTime = time;
        else {
          animation.playbackRate = 1;
          animation.finish();
        }
      }
    },
    { timer: timerName, ms },
  );
  // The end of an animation is announced with the next frame.
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
}

/** Those that are not on their way out. */
const staying = (page: Page) => page.locator(".Toastify__toast[data-in='true']");

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
    await untilRunning(page, 3);
    await pass(page, 1_999);
    await expect(staying(page)).toHaveCount(3);
    await pass(page, 1);
    await expect(messages(page)).toHaveText(["Copied.", "Logout failed"]);
    await pass(page, 1_999);
    await expect(staying(page)).toHaveCount(2);
    await pass(page, 1);
    await expect(messages(page)).toHaveCount(0);

    await say(page, { kind: "success", key: "toast.saved" });
    await untilRunning(page, 1);
    const message = messages(page).first();
    await message.hover();
    await untilRunning(page, 0);
    await pass(page, 10_000);
    await expect(staying(page)).toHaveCount(1);
    const box = await message.boundingBox();
    expect(1200 - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(40);
    expect(box?.y).toBeLessThan(120);
    await page.mouse.move(10, 700);
    await untilRunning(page, 1);
    await message.getByRole("button", { name: "Close" }).focus();
    await untilRunning(page, 0);
    await pass(page, 10_000);
    await expect(staying(page)).toHaveCount(1);
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
    await pass(page, 600_000);
    await expect(staying(page)).toHaveCount(2);
    await page.evaluate(`window.first.settle({ kind: "success", key: "toast.saved" })`);
    await untilRunning(page, 1);
    await pass(page, 1_999);
    await expect(shown.filter({ hasText: "Saved." })).toHaveAttribute("data-in", "true");
    await pass(page, 1);
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
    await untilRunning(page, 20);
    await pass(page, 4_000);
    await page.getByText("No. 24 authentication failed").waitFor();
  });
});
