import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Locator, Page, Route } from "playwright-core";
import * as v from "valibot";
import { describe, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { expect, openBrowser, openPage, openSignedIn, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** With which English is spoken. */
const english = (page: Page) => page.getByRole("button", { name: /^English/ });
const words = (page: Page, side: 0 | 1) => page.getByTestId(`words-${side}`);
const turns = (page: Page) => page.locator("[data-turn]");
const inStatus = (page: Page, status: string) => page.locator(`[data-status="${status}"]`);
/** What a browser says of a server that is gone, or that it can't reach. */
const serverAway = /ERR_|WebSocket connection|Failed to load resource/;

/** Keeps what the page plays; nothing in a test has pressed a button of this browser's own. */
function watchAudio(): void {
  const played: string[] = [];
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    played.push(this.src);
    return play.call(this);
  };
  Object.assign(globalThis, { played });
}
const played = (page: Page) => page.evaluate<string[]>("globalThis.played");

const path = "/voice-translator";

/** On a page of its own: what it plays is kept. */
async function openWatched(page: Page): Promise<void> {
  await page.addInitScript(watchAudio);
  await openSignedIn(page, shared.server, path);
  await inStatus(page, "idle").waitFor();
}

/** On the page of the tests before. @param expected what it may complain of */
async function openTranslator(expected: readonly RegExp[] = []): Promise<Page> {
  const { page } = await pages.begin(path, expected);
  await inStatus(page, "idle").waitFor();
  return page;
}

/** Says in English what the fixture says. */
async function speak(page: Page): Promise<void> {
  await english(page).click();
  await words(page, 0).getByText(microphoneEnd).waitFor();
  await english(page).click();
}

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Type in Spanish" }).fill(text);
  await button(page, "Translate").click();
}

const shared = sharedParlance({
  acrossFiles: true,
  browser: { microphone: { speaks }, args: ["--autoplay-policy=no-user-gesture-required"] },
});
const pages = sharedPage(shared);

describe("a conversation between two people", () => {
  test("English is spoken and heard in Spanish, Spanish typed and read in English; it is in the history, and exported", {
    tags: "quick",
  }, async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await openWatched(page);
    const spoken = page.waitForRequest((request) => request.url().endsWith("/api/v1/speech"));
    await speak(page);
    await words(page, 1)
      .getByText(/tiempo/)
      .waitFor();
    const aloud: unknown = (await spoken).postDataJSON();
    expect(aloud).toMatchObject({ language: "es", text: expect.stringContaining("tiempo") });
    expect((await (await spoken).response())?.status()).toBe(200);
    await expect.poll(async () => (await played(page)).filter((src) => src.startsWith("blob:")).length).toBeGreaterThan(1);
    await inStatus(page, "idle").waitFor();

    await page.reload();
    await turns(page).first().waitFor();
    await expect(words(page, 0)).toHaveText(microphoneText);
    const saving = Promise.withResolvers<Route>();
    await page.route("**/conversations/*/turns/*", saving.resolve, { times: 1 });
    await type(page, "Muchas gracias.");
    await words(page, 0).getByText(/thank/i).waitFor();
    await expect(turns(page)).toHaveCount(2);

    await button(page, "Export")
      .or(page.locator("summary", { hasText: "Export" }))
      .first()
      .click();
    const download = page.waitForEvent("download");
    await button(page, "Text (.txt)").click();
    // What is exported includes a turn that the page shows but has not sent yet.
    await (await saving.promise).continue();
    const file = await (await download).createReadStream();
    const exported = await text(file);
    expect(exported).toContain("have time");
    expect(exported).toContain("Muchas gracias.");

    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await page.getByRole("link", { name: /have time/i }).click();
    await page.getByText("Muchas gracias.").first().waitFor();
  });

  test("a turn is heard again, corrected, which translates it again, and deleted; another conversation begins empty", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await openWatched(page);
    await page.getByRole("switch", { name: "Speak translations aloud" }).uncheck();
    await speak(page);
    await inStatus(page, "idle").waitFor();
    await button(page, "Play what was said").click();
    await inStatus(page, "replaying").waitFor();
    await button(page, "Stop").first().click();
    expect((await played(page)).at(-1)).toMatch(/\/audio#t=/);

    await button(page, "Correct the text").click();
    await page.getByRole("textbox", { name: "What was said, sentence 1" }).fill("good morning");
    await button(page, "Save and translate").click();
    await words(page, 1).getByText(/buen/i).waitFor();
    await page.reload();
    await turns(page).getByText(/buen/i).waitFor();

    await button(page, "Delete this turn").click();
    await button(page, "Delete").click();
    await expect(turns(page)).toHaveCount(0);
    await type(page, "Hola.");
    await turns(page).first().waitFor();
    await button(page, "New conversation").click();
    await expect(turns(page)).toHaveCount(0);
    await page.reload();
    await inStatus(page, "idle").waitFor();
    await expect(turns(page)).toHaveCount(0);
  });

  test("the space bar is held to speak, Escape stops what is spoken", async () => {
    const page = await openTranslator();
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.down(" ");
    await words(page, 0).getByText(microphoneEnd).waitFor();
    await page.keyboard.up(" ");
    await inStatus(page, "speaking").waitFor();
    await page.keyboard.press("Escape");
    await inStatus(page, "idle").waitFor();
    await expect(turns(page)).toHaveCount(1);
  });

  test("110 languages are found by any of their names, those that work here first; what does not work says why", async () => {
    const page = await openTranslator();
    const field = page.getByRole("combobox", { name: "The other person speaks" });
    await field.click();
    const options = page.getByRole("listbox").getByRole("option");
    await expect.poll(() => options.count()).toBeGreaterThan(100);
    await expect(options.first()).toContainText("English");
    for (const [typed, found] of [
      ["deutsch", "German"],
      ["zul", "Zulu"],
      ["zh-TW", "Chinese"],
    ] as const) {
      await field.fill(typed);
      await expect(options.first()).toContainText(found);
      await expect(options.first()).toHaveAttribute("aria-disabled", "true");
      await expect(options.first()).toContainText("no engine");
    }
    await field.fill("nonsense");
    await page.getByText("No such language").waitFor();
    await field.fill("engl");
    await field.press("Enter");
    // The other side takes the language that was there.
    await expect(page.getByRole("combobox", { name: "You speak" })).toHaveValue("Spanish");
    await page.reload();
    await expect(page.getByRole("combobox", { name: "The other person speaks" })).toHaveValue("English");
    await button(page, "Swap the languages").click();
    await expect(page.getByRole("combobox", { name: "You speak" })).toHaveValue("English");
  });
});

describe("on a phone", () => {
  test("original and translation are on the first screen, and the newest words in sight while somebody speaks", async () => {
    const page = await openTranslator();
    await page.setViewportSize({ width: 390, height: 844 });
    const inWindow = (place: Locator) =>
      place.evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && scrollY === 0;
      });
    for (const side of [0, 1] as const) await expect.poll(() => inWindow(words(page, side))).toBe(true);
    await expect.poll(() => inWindow(english(page))).toBe(true);
    await english(page).click();
    await words(page, 1)
      .getByText(/tiempo/)
      .waitFor();
    await words(page, 0).getByText(microphoneEnd).waitFor();
    for (const side of [0, 1] as const) {
      await expect.poll(() => inWindow(words(page, side))).toBe(true);
      const behind = () => words(page, side).evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
      await expect.poll(behind).toBeLessThan(2);
    }
    await expect.poll(() => inWindow(english(page))).toBe(true);
    await english(page).click();
    await turns(page).first().waitFor();
    for (const side of [0, 1] as const) await expect.poll(() => inWindow(words(page, side))).toBe(true);
  });
});

describe("nothing that was said is lost", () => {
  test("when the tab is reloaded in the middle of a turn: it is offered back", async () => {
    const page = await openTranslator([serverAway]);
    await english(page).click();
    await words(page, 0).getByText(microphoneEnd).waitFor();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("A recording was not finished").waitFor();
    await button(page, "Finish it").click();
    await turns(page).first().waitFor();
    await expect(words(page, 0)).toHaveText(microphoneText);
  });

  test("when it can't be saved: it waits in the browser, also after a reload, and is saved later", async () => {
    const page = await openTranslator([serverAway, /500/]);
    const saving = "**/conversations/**";
    await page.route(saving, (route) => route.fulfill({ status: 500, json: { message: "no", code: "internal" } }));
    await speak(page);
    await page.getByText(/could not be saved yet/).waitFor();
    await expect(turns(page).first()).toContainText("Not saved yet");
    await page.reload();
    await page.getByText(/could not be saved yet/).waitFor();
    await page.unroute(saving);
    await button(page, "Try again").click();
    await page.getByRole("link", { name: "Open the transcript" }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("conversationChanges"))).toBeNull();
    await expect(turns(page).first()).not.toContainText("Not saved yet");
  });

  test("what can't be translated is shown with its text, and translated when that is wanted", async () => {
    const page = await openTranslator([serverAway, /500|502|503/]);
    const failing = { status: 503, json: { message: "no", code: "translationUnavailable" } };
    await page.route("**/api/v1/translations", (route) => route.fulfill(failing));
    // The server keeps a correction, too, that it can't translate.
    await page.route("**/audio/remove-transcription/**", async (route) => {
      const response = await route.fetch();
      const answer = v.parse(Transcription, await response.json());
      const segments = answer.segments.map(({ translation: _, ...segment }) => segment);
      await route.fulfill({ response, json: { ...answer, segments } });
    });
    await type(page, "Muchas gracias.");
    await turns(page).getByText("Not translated.").waitFor();
    await page.unrouteAll();
    await button(page, "Translate again").click();
    await words(page, 0).getByText(/thank/i).waitFor();
  });
});

describe("what keeps somebody from speaking", () => {
  test("a microphone that is refused: the page says what to do, and typing goes on", async () => {
    await using withoutMicrophone = await openBrowser({ microphone: "refused" });
    await using visit = await openPage(withoutMicrophone);
    const { page } = visit;
    await openWatched(page);
    await english(page).click();
    await page.getByText("The microphone is not allowed.").first().waitFor();
    await button(page, "Try again").waitFor();
    await type(page, "Hola.");
    await turns(page).first().waitFor();
  });

  test("the free tier's limit: known beforehand, or reported by the server; what was captured is kept, and typing goes on", async () => {
    await using visit = await openPage(shared.browser, { expected: [serverAway] });
    const { page } = visit;
    await page.routeWebSocket(/realtime/, (socket) => {
      socket.onMessage((message) => {
        if (typeof message === "string") return socket.send(JSON.stringify({ type: "ready", ack: 0, segments: [] }));
        socket.send(JSON.stringify({ type: "error", code: "limitReached", message: "limit" }));
        return void socket.close({ code: 1000 });
      });
    });
    await openWatched(page);
    await english(page).click();
    await inStatus(page, "limited").waitFor();
    await page.getByText("A recording was not finished").waitFor();
    const usage = { usedTranslationMinutes: 10, limitMinutes: 10, resetsAt: "2030-01-01T00:00:00.000Z" };
    await page.route("**/api/v1/usage", (route) => route.fulfill({ json: usage }));
    await page.reload();
    await inStatus(page, "limited").waitFor();
    await expect(english(page)).toHaveAttribute("aria-disabled", "true");
    await type(page, "Hola.");
    await turns(page).first().waitFor();
  });
});
