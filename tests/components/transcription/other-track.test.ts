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

const action = page.getByRole("button", { name: "Listen to another track…" });
const question = page.getByRole("dialog", { name: "Listen to another sound track?" });
const track = question.getByRole("combobox", { name: "Sound track" });
const language = question.getByRole("combobox", { name: "Spoken language" });
const tracks = [
  { language: "eng", title: null, isDefault: true },
  { language: "ger", title: "Dubbed", isDefault: false },
  { language: null, title: null, isDefault: false },
];
const parts = { hasAudio: true, tracks, track: 1 };
const facts = page.getByText("Sound track 1 of 3: English");

// PROMISE uploads: Of several sound tracks, the default or the chosen one is recognized; another one can be chosen later
test("another sound track is recognized after a question, and the page shows its text and its name", async () => {
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
  await act("Listen to another track…");
  await expect.element(question.getByText(/The new text replaces this one, with its corrections/)).toBeVisible();
  expect(textsOf(track.getByRole("option"))).toEqual(["1: English (this text)", "2: German – Dubbed", "Track 3"]);
  await expect.element(track).toHaveValue("2");
  await track.selectOptions("Track 3");
  // The server recognizes one language alone.
  await expect.element(language).not.toBeInTheDocument();
  await question.getByRole("button", { name: "Keep this text" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await act("Listen to another track…");
  await question.getByRole("button", { name: "Listen to this track" }).click();
  await expect.element(page.getByText("Waiting for its turn").first()).toBeVisible();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  expect(server.updates).toEqual([{ track: 2, sourceLanguage: "en" }]);
  await openActions();
  await expect.element(action).not.toBeInTheDocument();
  const segments = [spokenSegment("Good evening.", 0, 4)];
  server.tell({ segments, track: 2, progress: { stage: "finished", fraction: 1, secondsLeft: null } });
  await expect.element(passage(0).getByText("Good evening.")).toBeVisible();
  await expect.element(page.getByText("Sound track 2 of 3: German – Dubbed").last()).toBeVisible();
  await expect.element(facts.last()).not.toBeInTheDocument();
  await expect.poll(() => drawn).toBe(2);
});

test("when it is refused, that is said and it is offered again", async () => {
  await openTranscript(parts);
  answer({ [`PUT ${changing}`]: refusal(402, "limitReached") });
  await act("Listen to another track…");
  await question.getByRole("button", { name: "Listen to this track" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await openActions();
  await expect.element(action).toBeVisible();
});

test.each([
  ["a recording with one track", { hasAudio: true }],
  ["a text without sound", { tracks, track: 1 }],
  ["somebody else's", { ...parts, access: { role: "correct", by: "ada@example.org" } as const }],
  ["one that is being recognized", { ...parts, progress: { stage: "recognizing", fraction: 0.4, secondsLeft: null } as const }],
])("it is not offered for %s", async (_, given) => {
  await openTranscript(given);
  await openActions();
  await expect.element(page.getByText("Copy", { exact: true })).toBeVisible();
  await expect.element(action).not.toBeInTheDocument();
});
