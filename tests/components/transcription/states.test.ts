import { expect, onTestFinished, test } from "vitest";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import {
  act,
  changing,
  openActions,
  openTranscript,
  passages,
  persistTranscription,
  shownTexts,
  talk,
} from "#tests/components/harness-transcripts.ts";

const one = "GET /api/v1/audio-transcriptions/transcription/:id";
const heading = page.getByRole("heading", { level: 1 });
/** Sets the window's size until the test ends. */
async function size(width: number, height: number): Promise<void> {
  await page.viewport(width, height);
  onTestFinished(() => page.viewport(1280, 800));
}
const facts = () => document.querySelector("main p:has(> time)")?.textContent ?? "";

test("shows a transcript's origin, date, length, languages and engine", async () => {
  const server = persistTranscription();
  const held = holdAnswer();
  answer({ [one]: held.answer });
  await openPage("/transcription/talk");
  await expect.element(page.getByText("Opening the transcript…")).toBeVisible();
  held.give({
    ...server.kept,
    hasAudio: true,
    durationSeconds: 3725,
    targetLanguage: "de",
    engine: "moonshine-tiny-en",
    fileName: "harbour.mp3",
    origin: "sample",
  });
  await expect.element(heading).toHaveTextContent("A talk");
  await expect.element(heading).toHaveFocus();
  await expect.poll(facts).toMatch(/^Sample.*2026.*1:02:05 long.*Spoken: English.*Translated: German/);
  await openActions();
  await expect.element(page.getByText("Transcribed by Moonshine tiny")).toBeVisible();
  await expect.element(page.getByText("harbour.mp3")).toBeVisible();
  await expect.poll(() => document.title).toBe("A talk · Parlance");
});

test("names an untitled transcript by its words, or by its kind and date", async () => {
  const server = await openTranscript({ title: "", segments: [] });
  await expect.poll(() => document.querySelector("h1")?.textContent).toMatch(/^File, 1 Mar 2026, /);
  server.tell({ text: "Um, good morning everyone, the harbour is old." });
  await expect.element(heading).toHaveTextContent("The harbour is old");
  await expect.poll(() => document.title).toBe("The harbour is old · Parlance");
});

test("links an unknown transcript's page to the dashboard and the trash", async () => {
  persistTranscription();
  answer({ [one]: refusal(404, "notFound") });
  await openPage("/transcription/talk");
  await expect.element(heading).toHaveTextContent("Transcript not found");
  await expect.element(page.getByText("Recently deleted transcripts are in the trash.")).toBeVisible();
  const main = page.getByRole("main");
  await expect.element(main.getByRole("link", { name: "Dashboard" })).toHaveAttribute("href", "/dashboard");
  await expect.element(main.getByRole("link", { name: "Trash" })).toHaveAttribute("href", "/trash");
});

test("says that the transcript can't be loaded, and loads it on retry", async () => {
  const server = persistTranscription();
  answer({ [one]: refusal(500, "internal") });
  await openPage("/transcription/talk");
  await expect.element(heading).toHaveTextContent("Couldn’t load the transcript");
  answer({ [one]: () => server.kept });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(heading).toHaveTextContent("A talk");
});

test("follows a transcript in progress, and allows corrections only after its end", async () => {
  const server = await openTranscript({
    status: "processing",
    segments: talk.slice(0, 1),
    progress: { stage: "recognizing", fraction: 0.5, secondsLeft: 30 },
  });
  await expect.element(page.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
  await expect.poll(shownTexts).toEqual([talk[0]?.text]);
  await expect.element(page.getByRole("button", { name: "Correct the text" })).not.toBeInTheDocument();
  await expect.element(page.getByText("Export", { exact: true })).not.toBeInTheDocument();
  server.tell({ status: "completed", progress: null, segments: [...talk] });
  await expect.poll(() => passages.elements().length).toBe(3);
  await expect.element(page.getByRole("progressbar")).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Correct the text at 0:00" })).toBeInTheDocument();
  await expect.element(page.getByText("Export", { exact: true })).toBeVisible();
});

test("says why a transcript failed, and retries it on request", async () => {
  const server = await openTranscript({
    status: "failed",
    segments: [],
    text: "",
    error: { code: "engineFailed", message: "no" },
  });
  const again = page.getByRole("button", { name: "Try again" });
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await again.click();
  await expect.poll(() => server.updates).toEqual([{ retry: true }]);
});

test("shows beside the text that no speech was found, and offers no retry", async () => {
  await openTranscript({ segments: [], text: "", error: { code: "noSpeech", message: "no" } });
  await expect.element(heading).toBeVisible();
  await expect.element(page.getByText(/speech/i).first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
});

test("shows another user's transcript by the given role, without renaming or deleting it", async () => {
  const server = await openTranscript({ access: { role: "read", by: "grace@example.org" } });
  await expect.element(page.getByText("grace@example.org").first()).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Shared with me" }).first()).toHaveAttribute("href", "/shared-with-me");
  await expect.element(page.getByRole("button", { name: "Correct the text" })).not.toBeInTheDocument();
  await openActions();
  await expect.element(page.getByRole("button", { name: "Copy" })).toBeVisible();
  for (const name of ["Rename", "Delete", "Share", "Summary and questions"])
    await expect.element(page.getByRole("main").getByRole("button", { name, exact: true })).not.toBeInTheDocument();
  server.tell({ access: { role: "correct", by: "grace@example.org" } });
  await expect.element(page.getByRole("button", { name: "Correct the text at 0:00" })).toBeInTheDocument();
  server.send("withdrawn", {});
  await expect.element(heading).toHaveTextContent("Transcript not found");
});

test("removes another user's transcript when its share ends, even without the event about it", async () => {
  const { kept } = persistTranscription({ access: { role: "read", by: "grace@example.org" } });
  let times = 0;
  answer({
    [`${one}/events`]: () => {
      times += 1;
      if (times > 1) return refusal(404, "notFound");
      const body = `event: transcription\ndata: ${JSON.stringify({ transcription: kept })}\n\n`;
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    },
  });
  await openPage(`/transcription/${kept.id}`);
  await expect.element(heading).toHaveTextContent("Transcript not found");
});

test("deletes the transcript at once, opens the dashboard, and restores the transcript with Undo", async () => {
  const server = await openTranscript();
  answer({ [`DELETE ${changing}`]: { id: "talk", purgeAt: "2100-01-01T00:00:00.000Z" } });
  await act("Delete");
  await expect.element(heading).toHaveTextContent("Dashboard");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByRole("main").getByRole("link", { name: "A talk" })).toBeVisible();
  expect(server.updates.at(-1)).toEqual({ deletedAt: null });
});

test.each([
  [1440, 900],
  [1280, 720],
  [390, 844],
])("gives the text three fifths of a view of %i by %i px, even with a translation", async (width, height) => {
  await size(width, height);
  const unsure = { words: [{ text: "Good", start: 0, end: 1, confidence: 0.1 }] };
  const segments = talk.map((segment, at) => ({ ...segment, ...(at === 0 && unsure), translation: segment.text }));
  await openTranscript({ segments, targetLanguage: "de", hasAudio: true });
  await expect.element(passages.first()).toBeVisible();
  await expect.element(page.getByText("Dotted words")).toBeVisible();
  const top = passages.first().element().getBoundingClientRect().top;
  const bottom = document.querySelector("[data-covers-bottom]")?.getBoundingClientRect().top ?? 0;
  expect((bottom - top) / height).toBeGreaterThanOrEqual(0.6);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

test.each([
  [1800, 1100],
  [390, 844],
])("keeps a row's tools at its end, and moves nothing while editing, at %i by %i px", async (width, height) => {
  await size(width, height);
  const translated = talk.map((segment) => ({ ...segment, translation: segment.text }));
  await openTranscript({ segments: translated, targetLanguage: "de" });
  await expect.element(passages.first()).toBeVisible();
  const row = passages.first().element();
  const box = (selector: string) => row.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  const tools = box("[role=toolbar]");
  expect(Math.abs(tools.right - box("[data-field=translation]").right)).toBeLessThan(width < 900 ? 2 : 160);
  const before = [box("[data-field=text]"), row.getBoundingClientRect()].map(({ width, height }) => [width, height]);
  await passages.first().getByText("welcome").first().click();
  await expect.element(page.getByRole("textbox", { name: "Text at 0:00" })).toHaveFocus();
  expect([box("[data-field=text]"), row.getBoundingClientRect()].map(({ width, height }) => [width, height])).toEqual(before);
});
