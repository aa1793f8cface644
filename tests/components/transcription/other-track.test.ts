import { expect, test } from "vitest";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import {
  act,
  changing,
  openActions,
  openTranscript,
  passage,
  persistTranscription,
} from "#tests/components/harness-transcripts.ts";
import { spokenSegment } from "#tests/fixtures/spoken.ts";

const action = page.getByRole("button", { name: "Use another audio track…" });
const question = page.getByRole("dialog", { name: "Transcribe another audio track?" });
const track = question.getByRole("combobox", { name: "Audio track" });
const language = question.getByRole("combobox", { name: "Spoken language" });
const tracks = [
  { language: "eng", title: null, isDefault: true },
  { language: "ger", title: "Dubbed", isDefault: false },
  { language: null, title: null, isDefault: false },
];
const parts = { hasAudio: true, tracks, track: 1 };
const facts = page.getByText("Audio track 1 of 3: English");

// PROMISE uploads: Of several sound tracks, the default or the chosen one is recognized; another one can be chosen later
test("recognizes another sound track after confirmation, and shows its text and name", async () => {
  const server = persistTranscription(parts);
  let drawn = 0;
  answer({
    "GET /api/v1/audio-transcriptions/transcription/:id/peaks": () => {
      drawn += 1;
      return refusal(404, "notFound");
    },
  });
  await openPage("/transcription/talk");
  await expect.element(facts.last()).toBeVisible();
  await expect.poll(() => drawn).toBe(1);
  await act("Use another audio track…");
  await expect
    .element(question.getByText(/It replaces this one, including your corrections, speaker names and translation/))
    .toBeVisible();
  expect(textsOf(track.getByRole("option"))).toEqual(["1: English (current)", "2: German – Dubbed", "Track 3"]);
  await expect.element(track).toHaveValue("2");
  await track.selectOptions("Track 3");
  // The server recognizes only one language.
  await expect.element(language).not.toBeInTheDocument();
  await question.getByRole("button", { name: "Keep this transcript" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await act("Use another audio track…");
  await question.getByRole("button", { name: "Transcribe this track" }).click();
  await expect.element(page.getByText("Waiting").first()).toBeVisible();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  expect(server.updates).toEqual([{ track: 2, sourceLanguage: "en" }]);
  await openActions();
  await expect.element(action).not.toBeInTheDocument();
  const segments = [spokenSegment("Good evening.", 0, 4)];
  server.tell({ segments, track: 2, progress: { stage: "finished", fraction: 1, secondsLeft: null } });
  await expect.element(passage(0).getByText("Good evening.")).toBeVisible();
  await expect.element(page.getByText("Audio track 2 of 3: German – Dubbed").last()).toBeVisible();
  await expect.element(facts.last()).not.toBeInTheDocument();
  await expect.poll(() => drawn).toBe(2);
});

test("says why another track could not be recognized, and offers the action again", async () => {
  await openTranscript(parts);
  answer({ [`PUT ${changing}`]: refusal(402, "limitReached") });
  await act("Use another audio track…");
  await question.getByRole("button", { name: "Transcribe this track" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await openActions();
  await expect.element(action).toBeVisible();
});

test.each([
  ["a recording with one track", { hasAudio: true }],
  ["a text without sound", { tracks, track: 1 }],
  ["somebody else's", { ...parts, access: { role: "correct", by: "ada@example.org" } as const }],
  ["one that is being recognized", { ...parts, progress: { stage: "recognizing", fraction: 0.4, secondsLeft: null } as const }],
])("offers no other track for %s", async (_, given) => {
  await openTranscript(given);
  await openActions();
  await expect.element(page.getByText("Copy", { exact: true })).toBeVisible();
  await expect.element(action).not.toBeInTheDocument();
});
