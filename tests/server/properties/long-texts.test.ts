import { expect, test } from "vitest";
import {
  exportFormats,
  joinedText,
  type Segment,
  type Transcription,
  type TranscriptionUpdate,
  usualLook,
} from "#contract/index.ts";
import { wantedIn } from "#contract/search/wanted.ts";
import { Problem } from "#server/errors/problem.ts";
import { exportTasks } from "#server/exports/thread-tasks.ts";
import { searchTasks } from "#server/search/thread-tasks.ts";
import { transcriptTasks } from "#server/transcription/thread-tasks.ts";
import { withTidyJoins } from "#speech/written/joins.ts";
import { cutLine } from "#translation/pieces.ts";

// Code that reads texts, tested with 1.8 MB: passing each word as an argument of a call would overflow the stack.

const texts = [`${"ab ".repeat(599_999)}ab`, "字".repeat(600_000)];

const segments = (text: string): Segment[] =>
  [text.slice(0, text.length / 2), text.slice(text.length / 2)].map((half, at) => ({
    start: 1000 * at,
    end: 1000 * (at + 1),
    text: half.trim(),
    words: [],
  }));
const stored = (text: string) => JSON.stringify(segments(text));
const transcription = (text: string): Omit<Transcription, "segments"> => ({
  id: "long",
  title: "long",
  date: "2026-03-01T12:00:00.000Z",
  status: "completed",
  sourceLanguage: "en",
  targetLanguage: null,
  text,
  translatedText: "",
  durationSeconds: 2000,
  engine: null,
  fileName: null,
  hasAudio: false,
  origin: "dictation",
  progress: null,
  error: null,
});
const corrected = (text: string, update: TranscriptionUpdate) =>
  transcriptTasks.correct({
    segments: stored(text),
    body: Buffer.from(JSON.stringify(update)),
    translates: false,
    by: "Ada",
    before: text,
  });
/** The text in as many passages as a change may have. */
const passages = (text: string) =>
  Array.from({ length: 10_000 }, (_, at) => {
    const [from, to] = [at, at + 1].map((place) => Math.round((place * text.length) / 30_000) * 3);
    return { text: text.slice(from, to).trim(), speaker: null };
  });
const options = { content: "both", language: "en", look: usualLook } as const;

const readers: Record<string, (text: string) => unknown> = {
  ...Object.fromEntries(
    // WebVTT has the same subtitles as SubRip.
    exportFormats
      .filter((format) => format !== "vtt")
      .map((format) => [
        `an export as ${format}`,
        (text: string) =>
          exportTasks.exported({ transcription: transcription(text), segments: stored(text), options: { ...options, format } }),
      ]),
  ),
  "the index of the search": (text) =>
    searchTasks.searchedPassages({ tag: "a", title: text, text, language: "en", segments: stored(text) }),
  "a query of the search": (text) => wantedIn("a", text),
  "a corrected passage": (text) => corrected(text, { edits: [{ index: 0, text: `new ${text}` }] }),
  "a text that is replaced": (text) => corrected(text, { text: `new ${text}` }),
  "a text that two have changed": (text) => corrected(text, { text: `new ${text} end`, textBase: "another" }),
  "passages that two have changed": (text) => corrected(text, { edits: [{ index: 0, text: `new ${text}`, base: "another" }] }),
  "passages that are merged": (text) =>
    corrected(text, { regroups: [{ index: 0, count: 2, passages: [{ text: joinedText([text]), speaker: null }] }] }),
  "a passage that is split": (text) => corrected(text, { regroups: [{ index: 0, count: 2, passages: passages(text) }] }),
  "pieces of a recording that are joined": (text) => withTidyJoins([segments(text), segments(text)], "en"),
  "what a language model reads": (text) => transcriptTasks.spokenLines(stored(text)),
  "what is translated": (text) => cutLine(text),
};

test.for(Object.entries(readers))("%s: accepts a text of 1.8 MB or refuses it as too long", async ([, read]) => {
  for (const text of texts) {
    try {
      await read(text);
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
    }
  }
});
