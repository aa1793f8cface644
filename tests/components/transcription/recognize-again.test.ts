import { expect, test } from "vitest";
import { answer, page, refusal } from "#tests/components/harness.ts";
import { act, changing, openActions, openTranscript, passage } from "#tests/components/harness-transcripts.ts";
import { spokenSegment } from "#tests/fixtures/spoken.ts";

const action = page.getByRole("button", { name: "Transcribe again on the server…" });
const question = page.getByRole("dialog", { name: "Transcribe the recording again?" });
const ask = () => act("Transcribe again on the server…");

test("recognizes a device's text again on the server after confirmation, and shows the new engine", async () => {
  const server = await openTranscript({ hasAudio: true, engine: "device" });
  await openActions();
  await expect.element(page.getByText("Transcribed on a device")).toBeVisible();
  await action.click();
  await expect
    .element(question.getByText(/It replaces this one, including your corrections, speaker names and translation/))
    .toBeVisible();
  await question.getByRole("button", { name: "Keep this transcript" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await ask();
  await question.getByRole("button", { name: "Transcribe again" }).click();
  await expect.element(page.getByText("Waiting").first()).toBeVisible();
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

test("says why the text was not replaced, and offers recognition again", async () => {
  const server = await openTranscript({ hasAudio: true, engine: "browser" });
  for (const [code, said] of [
    ["recognitionFailed", "The recording couldn’t be transcribed again."],
    ["correctedMeanwhile", "The corrected transcript stays."],
  ] as const) {
    server.tell({ error: { code, message: "" }, progress: { stage: "finished", fraction: 1, secondsLeft: null } });
    await expect.element(page.getByText(said)).toBeVisible();
  }
  answer({ [`PUT ${changing}`]: refusal(422, "languageUnavailable") });
  await ask();
  await question.getByRole("button", { name: "Transcribe again" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await openActions();
  await expect.element(page.getByText("Transcribed by a browser’s own speech recognition")).toBeVisible();
  await expect.element(action).toBeVisible();
});

test.each([
  ["the server's own text", { hasAudio: true, engine: "moonshine-tiny-en" }],
  ["a text without sound", { engine: "browser" }],
  ["a language that the server does not recognize", { hasAudio: true, engine: "browser", sourceLanguage: "de-DE" }],
  ["somebody else's", { hasAudio: true, engine: "browser", access: { role: "correct", by: "ada@example.org" } as const }],
])("offers no new recognition for %s", async (_, parts) => {
  await openTranscript(parts);
  await openActions();
  await expect.element(page.getByText("Copy", { exact: true })).toBeVisible();
  await expect.element(action).not.toBeInTheDocument();
});
