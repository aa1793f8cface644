import type { Browser } from "playwright";
import { beforeAll, describe, test } from "vitest";
import { expect, openPage, openSignedIn, type Person, sharedBrowser, sharedParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";
import { messages, meter, spendMinutes, subscribe } from "#tests/browser/harness-usage.ts";
import { framesKept, holdAnswers } from "./kept-frames.ts";

// The free tier's minutes run out during real speech (SPEC.md section 9, "Free-tier limit"). Typing afterwards:
// tests/machines/translator/machine.test.ts.

const shared = sharedParlance({ acrossFiles: true });
const reached = "You've reached your 10-minute monthly limit. Upgrade for unlimited usage.";
const ended = "Recording stopped because your free minutes are used up. What you said until then is transcribed and saved.";

/** Opens this page for a user who has used so many minutes. */
const having = (used: number, path: string) => (person: Person) => {
  spendMinutes(shared.server, person.email, used);
  return path;
};

describe("free tier's limit while speaking", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser({ microphone: { speaks: fixture("microphone.wav") } });
  });

  // PROMISE minutes: A dictation that uses up the minutes says so, and saves its words
  test("ends the recording with the reason, and transcribes and saves what was said", async () => {
    await using visit = await openPage(browser, { expected: [/404 \(Not Found\).*subscription/] });
    const { page } = visit;
    // The speech begins after 1.6 s.
    await openSignedIn(page, shared.server, having(10 - 4.2 / 60, "/speech-to-text"));
    await messages(page).getByText("You have 0.1 minutes remaining in your free tier.").waitFor();
    await page.getByRole("button", { name: "Start recording" }).click();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.getByRole("alert").filter({ hasText: ended }).waitFor();
    await messages(page).getByText(reached, { exact: true }).waitFor();
    await page.locator("[data-start]").first().waitFor();
    expect((await page.locator("[data-start]").allTextContents()).join(" ").toLowerCase()).toContain("please");
    await messages(page).getByText(ended).waitFor();
    await page.goBack();
    await page.getByRole("main").getByRole("link", { name: "Upgrade" }).first().waitFor();
    // No recording is left over: the frames that were on their way are transcribed too.
    await expect(page.getByText("You have an unfinished recording")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Start recording" })).toHaveAttribute("aria-disabled", "true");
    await screenshots(page, "limit-while-speaking", { fullPage: true });
  });

  test("ends the current turn of a conversation and keeps it", async () => {
    await using visit = await openPage(browser);
    const { page } = visit;
    await openSignedIn(page, shared.server, having(10 - 4.2 / 60, "/voice-translator"));
    const status = (name: string) => page.locator(`[data-testid="status"][data-status="${name}"]`);
    await status("idle").waitFor();
    await page
      .getByRole("button", { name: /English/ })
      .first()
      .click();
    await status("listening").waitFor();
    await page.getByRole("alert").filter({ hasText: ended }).waitFor();
    await messages(page).getByText(reached, { exact: true }).waitFor();
    await status("limited").waitFor();
    // Any part of the speech before the limit.
    await page
      .getByText(/call me back|have time|people still|talk about/i)
      .first()
      .waitFor();
    await screenshots(page, "limit-while-conversing", { fullPage: true });
  });

  test("keeps another tab's recording, and finishes it after the upgrade", async () => {
    await using visit = await openPage(browser);
    const { page } = visit;
    const person = await openSignedIn(page, shared.server, "/speech-to-text");
    await meter(page).waitFor();
    spendMinutes(shared.server, person.email, 10);
    const heard = await holdAnswers(page);
    await page.getByRole("button", { name: "Start recording" }).click();
    await expect.poll(() => framesKept(page)).toBeGreaterThan(3);
    heard.resolve();
    const notice = page.getByRole("alert").filter({ hasText: "You have used up your free minutes for this month." });
    await notice.waitFor();
    await notice.getByText("What you just said stays in this browser.").waitFor();
    await notice.getByRole("link", { name: "Upgrade" }).waitFor();
    await page.reload();
    const leftover = page.getByText("You have an unfinished recording");
    await leftover.waitFor();
    await page.getByText("You spoke after your free minutes were used up.").waitFor();
    await screenshots(page, "limit-leftover", { fullPage: true });
    subscribe(shared.server, person.email);
    await page.getByRole("button", { name: "Finish" }).click();
    await page
      .getByRole("link", { name: "Open the transcript" })
      .or(page.getByRole("button", { name: "Save the recording" }))
      .waitFor();
  });
});
