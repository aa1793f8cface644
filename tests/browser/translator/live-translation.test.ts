import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { ownConnection } from "#tests/browser/harness-account.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/harbor.wav", import.meta.url));
const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks } } });
const pages = sharedPage(shared);

const english = (page: Page) => page.getByRole("button", { name: /^English/ });
const words = (page: Page, side: 0 | 1) => page.getByTestId(`words-${side}`);
const turns = (page: Page) => page.locator("[data-turn]");
const inStatus = (page: Page, status: string) => page.locator(`[data-status="${status}"]`);

async function openTranslator(expected: readonly RegExp[] = []): Promise<Page> {
  const { page } = await pages.begin("/voice-translator", expected);
  await inStatus(page, "idle").waitFor();
  return page;
}

/**
 * Starts the server's translator with a first text. On a busy machine this takes seconds, and a sentence may be over by
 * then.
 */
async function startTranslator(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const answer = await page.request.post(`${shared.server.apiUrl}/api/v1/translations`, {
    headers: { ...ownConnection, Authorization: `Bearer ${token}` },
    data: { text: "The ships are here.", source: "en-US", target: "es" },
  });
  expect(await answer.json()).toMatchObject({ text: expect.any(String) });
}

/** Marks the box as soon as it contains more than the announced final text, even if only for a moment. */
function markInterim(box: Element): void {
  const look = () => {
    const final = (box.querySelector("[aria-live]")?.textContent ?? "").trim();
    const all = (box.textContent ?? "").replace("…", "").trim();
    if (all.length > final.length + 3 && !all.includes("appears here")) box.setAttribute("data-had-interim", "");
  };
  new MutationObserver(look).observe(box, { childList: true, characterData: true, subtree: true });
}

// PROMISE translation: The translation follows while somebody is still speaking
test("translates live before a sentence ends, and shows the complete translation at the end", async () => {
  const page = await openTranslator();
  await startTranslator(page);
  await words(page, 1).evaluate(markInterim);
  await english(page).click();
  await expect(words(page, 1)).toHaveAttribute("data-had-interim", "");
  await expect(inStatus(page, "listening")).toBeVisible();
  await expect(turns(page)).toHaveCount(0);
  // The last sentence is final, and no interim text is left.
  await expect(words(page, 0)).toContainText("happen next");
  await expect(words(page, 1)).toContainText(/No supimos/);
  await expect(words(page, 1)).not.toContainText("…");
  await expect(inStatus(page, "listening")).toBeVisible();
  await english(page).click();
  await expect(turns(page)).toHaveCount(1);
  await expect(turns(page).first()).toContainText(/puerto/);
});
