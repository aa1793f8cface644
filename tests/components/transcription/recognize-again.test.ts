import { expect, test } from "vitest";
import { answer, page, refusal } from "#tests/components/harness.ts";
import { act, changing, openActions, openTranscript, passage } from "#tests/components/harness-transcripts.ts";
import { spokenSegment } from "#tests/fixtures/spoken.ts";

const action = page.getByRole("button", { name: "Recognise again on the server…" });
const question = page.getByRole("dialog", { name: "Recognise the recording again?" });
const ask = () => act("Recognise again on the server…");

test("a text of a device is recognized again after a question, and the page shows what has made the new text", async () => {
  const server = await openTranscript({ hasAudio: true, engine: "device" });
  await openActions();
  await expect.element(page.getByText("Transcribed on a device")).toBeVisible();
  await action.click();
  await expect.element(question.getByText(/The new text replaces this one, with its corrections/)).toBeVisible();
  await question.getByRole("button", { name: "Keep this text" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await ask();
  await question.getByRole("button", { name: "Recognise again" }).click();
  await expect.element(page.getByText("Waiting for its turn").first()).toBeVisible();
  expect(server.updates).toEqual([{ recognize: true }]);
  server.tell({ progress: { stage: "recognizing", fraction: 0.4, secondsLeft: null } });
  await expect.element(page.getByText("Transcribing").first()).toBeVisible();
  await expect.element(passage(0).getByText("Good morning and welcome to the harbour.")).toBeVisible();
  await openActions();
  await expect.element(action).not.toBeInTheDocument();
  const segments = [spokenSegment("Good evening.", 0, 4)];
  server.tell({ segments, engine: "moonshine-tiny-en", progress: { stage: "finished", fraction: 1, secondsLeft: null } });
  await expect.element(passage(0).getByText("Good evening.")).toBeVisible();
  await expect.element(page.getByText("Transcribed by Moonshine tiny")).toBeVisible();
  await expect.element(action).not.toBeInTheDocument();
});

test("when it fails, or somebody has corrected the text, that is said and it is offered again", async () => {
  const server = await openTranscript({ hasAudio: true, engine: "browser" });
  for (const [code, said] of [
    ["recognitionFailed", "The recording could not be recognised again."],
    ["correctedMeanwhile", "The corrected text stays."],
  ] as const) {
    server.tell({ error: { code, message: "" }, progress: { stage: "finished", fraction: 1, secondsLeft: null } });
    await expect.element(page.getByText(said)).toBeVisible();
  }
  answer({ [`PUT ${changing}`]: refusal(422, "languageUnavailable") });
  await ask();
  await question.getByRole("button", { name: "Recognise again" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await openActions();
  await expect.element(page.getByText("Transcribed by a browser’s own recogniser")).toBeVisible();
  await expect.element(action).toBeVisible();
});

test.each([
  ["the server's own text", { hasAudio: true, engine: "moonshine-tiny-en" }],
  ["a text without sound", { engine: "browser" }],
  ["a language that the server does not recognize", { hasAudio: true, engine: "browser", sourceLanguage: "de-DE" }],
  ["somebody else's", { hasAudio: true, engine: "browser", access: { role: "correct", by: "ada@example.org" } as const }],
])("it is not offered for %s", async (_, parts) => {
  await openTranscript(parts);
  await openActions();
  await expect.element(page.getByText("Copy", { exact: true })).toBeVisible();
  await expect.element(action).not.toBeInTheDocument();
});
