import { expect, test } from "vitest";
import { answer, engines, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { button, converse, english, openTranslator, status, turnTexts, type, words } from "./harness-translator.ts";

const field = page.getByRole("textbox", { name: "Type in German" });
const waits = page.getByText("1 change is stored only in this browser and couldn’t be saved yet.");

test("translates typed text for the other side, saves it as a turn, and clears the field", async () => {
  const server = converse();
  await openTranslator();
  await expect.element(words(0)).toHaveTextContent("Your words appear here.");
  await expect.element(words(1)).toHaveTextContent("The translation appears here.");
  await expect.element(page.getByText("This server can’t recognize spoken German. Type here instead.")).toBeVisible();
  await expect.element(button("Translate")).toBeDisabled();
  await field.fill("  guten Morgen ");
  await userEvent.keyboard("{Enter}");
  await expect.element(words(0)).toHaveTextContent("GUTEN MORGEN");
  await expect.element(words(1)).toHaveTextContent("guten Morgen");
  await expect.element(words(0)).toHaveAttribute("lang", "en");
  await expect.element(words(1)).toHaveAttribute("lang", "de");
  await expect.element(field).toHaveValue("");
  expect(turnTexts()).toEqual(["guten MorgenGUTEN MORGEN"]);
  await expect.poll(() => server.calls).toHaveLength(1);
  expect(server.translations).toEqual([{ text: "guten Morgen", source: "de-DE", target: "en" }]);
  expect(server.calls[0]?.body).toMatchObject({
    languages: ["en", "de-DE"],
    sourceLanguage: "de-DE",
    targetLanguage: "en",
    segments: [{ start: 0, end: 0, text: "guten Morgen", words: [], translation: "GUTEN MORGEN" }],
  });
  await expect.element(page.getByRole("link", { name: "Open the transcript" })).toHaveAttribute("href", "/transcription/talk");
  await expect.element(page.getByText("Not saved yet")).not.toBeInTheDocument();
});

test("accepts typed English, breaks lines only with Shift, and keeps a draft when the page is left", async () => {
  const server = converse();
  await openTranslator();
  const open = page.getByRole("region", { name: "You speak" }).getByRole("button", { name: "Type instead" });
  await expect.element(open).toHaveAttribute("aria-expanded", "false");
  await open.click();
  await expect.element(open).toHaveAttribute("aria-expanded", "true");
  const own = page.getByRole("textbox", { name: "Type in English" });
  await expect.element(own).toHaveFocus();
  await userEvent.keyboard("good{Shift>}{Enter}{/Shift}day");
  await page.getByRole("link", { name: "Feedback" }).click();
  await expect.element(page.getByRole("heading", { name: "Feedback", level: 1 })).toBeVisible();
  await openPageAgain();
  await open.click();
  await expect.element(own).toHaveValue("good\nday");
  await userEvent.fill(own, "good day");
  await page.getByRole("region", { name: "You speak" }).getByRole("button", { name: "Translate", exact: true }).click();
  await expect.element(words(1)).toHaveTextContent("GOOD DAY");
  expect(server.translations).toEqual([{ text: "good day", source: "en", target: "de" }]);
});

/** Returns to the page by a click on its link. */
const openPageAgain = () => page.getByRole("link", { name: "Translator" }).first().click();

test("shows typed text while it is translated, and blocks other actions meanwhile", async () => {
  const held = Promise.withResolvers<void>();
  converse();
  await openTranslator();
  answer({
    "POST /api/v1/translations": async () => {
      await held.promise;
      return { text: "Thank you" };
    },
  });
  await type("Danke");
  await expect.element(status).toHaveAttribute("data-status", "translating");
  await expect.element(status).toMatchTextContent("Translating…");
  await expect.element(words(1)).toHaveTextContent("Danke");
  await expect.element(words(0)).toHaveTextContent("…");
  await expect.element(english).toHaveAttribute("aria-disabled", "true");
  await expect.element(page.getByRole("combobox", { name: "You speak" })).toBeDisabled();
  await expect.element(button("Swap languages")).toBeDisabled();
  held.resolve();
  await expect.element(words(0)).toHaveTextContent("Thank you");
  await expect.element(status).toHaveAttribute("data-status", "idle");
});

test("keeps a text that could not be translated, and translates it on request", async () => {
  const server = converse();
  await openTranslator();
  answer({
    "POST /api/v1/translations": refusal(503, "translationUnavailable"),
    // The server saves a correction even if it can't translate it.
    "PUT /audio/remove-transcription/:id": () => server.conversation(),
  });
  await type("Danke");
  await expect.element(page.getByText("Not translated")).toBeVisible();
  expect(turnTexts()).toEqual(["DankeNot translatedTranslate again"]);
  converseAgain(server);
  await button("Translate again").click();
  await expect.element(words(0)).toHaveTextContent("DANKE");
  await expect.element(page.getByText("Not translated")).not.toBeInTheDocument();
});

/** Makes the server translate again. */
function converseAgain({ segments }: ReturnType<typeof converse>): void {
  const again = converse();
  again.segments = segments;
}

test("shows a turn that could not be saved as waiting, and saves it on request", async () => {
  const server = converse();
  await openTranslator();
  answer({ "PUT /api/v1/audio-transcriptions/conversations/:conversation/turns/:turn": refusal(500, "internal") });
  await type("Danke");
  await expect.element(waits).toBeVisible();
  await expect.element(page.getByText("Not saved yet")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Open the transcript" })).not.toBeInTheDocument();
  converseAgain(server);
  await button("Try again").click();
  await expect.element(waits).not.toBeInTheDocument();
  await expect.element(page.getByText("Not saved yet")).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Open the transcript" })).toBeVisible();
  expect(localStorage.getItem("conversationChanges")).toBeNull();
});

test("lets the user discard a turn that the server refuses", async () => {
  converse();
  await openTranslator();
  answer({ "PUT /api/v1/audio-transcriptions/conversations/:conversation/turns/:turn": refusal(400, "badRequest") });
  await type("Danke");
  await expect.element(waits).toBeVisible();
  await button("Discard").click();
  await expect.element(waits).not.toBeInTheDocument();
  expect(turnTexts()).toEqual([]);
});

test("corrects a turn by sentence and translates it again, and discards the change with Escape", async () => {
  const server = converse();
  await openTranslator();
  await type("Danke");
  await button("Correct the text").click();
  const area = page.getByRole("textbox", { name: "Original text, sentence 1" });
  await expect.element(area).toHaveFocus();
  await userEvent.keyboard(" sehr{Escape}");
  await expect.element(area).not.toBeInTheDocument();
  await expect.element(button("Correct the text")).toHaveFocus();
  expect(server.calls.map(({ call }) => call)).toEqual(["turn"]);
  await button("Correct the text").click();
  await userEvent.keyboard(" sehr{Enter}");
  await expect.poll(turnTexts).toEqual(["Danke sehrDANKE SEHR"]);
  expect(server.calls.at(-1)).toEqual({ call: "correction", body: { edits: [{ index: 0, text: "Danke sehr" }] } });
  await button("Correct the text").click();
  await button("Save and translate").click();
  await expect.element(area).not.toBeInTheDocument();
  expect(server.calls).toHaveLength(2);
});

test("copies a turn's texts, and deletes the turn after confirmation", async () => {
  const server = converse();
  await openTranslator();
  await type("Danke");
  const copied: string[] = [];
  const write = navigator.clipboard.writeText;
  navigator.clipboard.writeText = async (text) => void copied.push(text);
  await button("Copy both texts").click();
  await expect.poll(() => copied).toEqual(["Danke\nDANKE"]);
  navigator.clipboard.writeText = write;
  await button("Delete this turn").click();
  const question = page.getByRole("dialog", { name: "Delete this turn?" });
  await expect.element(question).toMatchTextContent("“Danke” and its audio will be permanently deleted.");
  await question.getByRole("button", { name: "Keep" }).click();
  expect(turnTexts()).toHaveLength(1);
  await button("Delete this turn").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.poll(turnTexts).toEqual([]);
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await expect.poll(() => server.calls.at(-1)?.call).toBe("deletion");
});

test("starts each new conversation without turns", async () => {
  const server = converse();
  await openTranslator();
  await type("Danke");
  await expect.element(page.getByRole("link", { name: "Open the transcript" })).toBeVisible();
  await button("New conversation").click();
  await expect.poll(turnTexts).toEqual([]);
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await expect.element(words(1)).toHaveTextContent("The translation appears here.");
  server.segments = [];
  await type("Bitte");
  await expect.poll(turnTexts).toEqual(["BitteBITTE"]);
});

test("exports the conversation in the chosen format", async () => {
  converse();
  await openTranslator();
  const asked: string[] = [];
  answer({
    "GET /api/v1/audio-transcriptions/transcription/:id/export": ({ request }) => {
      asked.push(new URL(request.url).search);
      return refusal(500, "internal");
    },
  });
  await type("Danke");
  await page.getByText("Export", { exact: true }).click();
  await button("Text (.txt)").click();
  await expect.poll(() => asked).toHaveLength(1);
  expect(Object.fromEntries(new URLSearchParams(asked[0]))).toMatchObject({ format: "txt", content: "both" });
});

test("reads the translation aloud with the server's voice at the chosen speed until Stop", async () => {
  converse();
  const spoken: unknown[] = [];
  answer({ "GET /api/v1/engines": { ...engines, aloud: { languages: ["en"] } } });
  answer({
    "POST /api/v1/speech": async ({ request }) => {
      spoken.push(await request.json());
      return new Promise<Response>(() => {});
    },
  });
  await openTranslator();
  await expect.element(page.getByText("English is read aloud by this server’s voice.")).toBeVisible();
  await expect.element(page.getByText("There is no voice for German.")).toBeVisible();
  await page.getByRole("combobox", { name: "Speed" }).selectOptions("1.5");
  await type("Danke");
  await expect.element(status).toHaveAttribute("data-status", "speaking");
  await expect.poll(() => spoken).toEqual([{ text: "DANKE", language: "en", rate: 1.5 }]);
  await status.getByRole("button", { name: "Stop" }).click();
  await expect.element(status).toHaveAttribute("data-status", "idle");
  await page.getByRole("switch", { name: "Read translations aloud" }).click();
  await expect.element(page.getByRole("combobox", { name: "Speed" })).toBeDisabled();
  await expect.element(page.getByText("English is read aloud by this server’s voice.")).not.toBeInTheDocument();
  await type("Bitte");
  await expect.poll(turnTexts).toHaveLength(2);
  expect(spoken).toHaveLength(1);
  await button("Read the translation aloud").nth(1).click();
  await expect.poll(() => spoken.at(-1)).toEqual({ text: "BITTE", language: "en", rate: 1.5 });
  await userEvent.keyboard("{Escape}");
  await expect.element(status).toHaveAttribute("data-status", "idle");
});

test("says why a translation can't be read aloud", async () => {
  converse();
  answer({ "GET /api/v1/engines": { ...engines, aloud: { languages: ["en"] } } });
  answer({ "POST /api/v1/speech": lost() });
  await openTranslator();
  await type("Danke");
  await expect.element(page.getByText("Cannot connect to server.")).toBeVisible();
  await expect.element(words(0)).toHaveTextContent("DANKE");
});

test("blocks recording when the free minutes are used up, but allows typing", async () => {
  converse();
  answer({ "GET /api/v1/usage": { usedTranslationMinutes: 10, limitMinutes: 10, resetsAt: "2030-01-01T00:00:00.000Z" } });
  await openPage("/voice-translator", { as: "free", profile: { id: crypto.randomUUID() } });
  await expect.element(status).toHaveAttribute("data-status", "limited");
  await expect.element(status).toHaveTextContent("Your free minutes for this month are used up. You can still type.");
  await expect.element(english).toHaveAttribute("aria-disabled", "true");
  await type("Danke");
  await expect.element(words(0)).toHaveTextContent("DANKE");
});
