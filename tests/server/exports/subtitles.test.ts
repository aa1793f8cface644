import { describe, expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { base, signUp, startTestServer } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";
import { type Draft, save } from "#tests/server/transcription/saved.ts";

interface Cue {
  start: number;
  end: number;
  lines: string[];
}

const seconds = (clock: string) => {
  const [hours = 0, minutes = 0, rest = 0] = clock.replace(",", ".").split(":").map(Number);
  return hours * 3600 + minutes * 60 + rest;
};

function cuesOf(srt: string): Cue[] {
  return srt
    .trim()
    .split("\n\n")
    .map((block, i) => {
      const [number, times = "", ...lines] = block.split("\n");
      expect(number).toBe(String(i + 1));
      const [start = "", end = ""] = times.split(" --> ");
      return { start: seconds(start), end: seconds(end), lines };
    });
}

async function subtitles(draft: Draft, query = "&content=original"): Promise<Cue[]> {
  const person = await signUp(await startTestServer());
  const { id } = await save(person, draft);
  const answer = await person.call("GET", `${base}/transcription/${id}/export?format=srt${query}`);
  return cuesOf(await answer.text());
}

/** A passage of words that take `word` seconds each; a "/" in the text is a pause of `pause` seconds. */
function speech(text: string, { from = 0, pause = 0.6, word = 0.33 } = {}): Segment {
  let at = from;
  const words = text.split(" ").flatMap((part) => {
    if (part === "/") {
      at += pause;
      return [];
    }
    const start = at;
    at += word;
    return [{ text: part, start, end: at }];
  });
  return { start: from, end: at, text: words.map((own) => own.text).join(" "), words };
}

const lecture = speech(
  "Good evening, everybody, and thank you for coming in this weather. / Tonight I want to talk about something that most of " +
    "us never look at, / although we walk across it every day: / the street. When I was a child, my grandfather paved streets in " +
    "a town by the sea, / and he could tell you, for every single one of them, / where the stones had come from. Is that a useful " +
    "thing to know? / I think that it is. It is the difference between living in a place and passing through it.",
);
const width = (line: string) => [...line].length;
const letters = ({ lines }: Cue) => lines.reduce((sum, line) => sum + width(line), 0);

// PROMISE exports: Exports are txt, srt, vtt, json, docx, pdf, Markdown and HTML
describe("subtitles of speech", () => {
  test("subtitles keep every word, in two lines of 42 letters at most, for 1 to 7 s", async () => {
    const cues = await subtitles({ segments: [lecture] });
    expect(cues.flatMap(({ lines }) => lines).join(" ")).toBe(lecture.text);
    for (const [i, { start, end, lines }] of cues.entries()) {
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(width(line)).toBeLessThanOrEqual(42);
      expect(end - start).toBeGreaterThanOrEqual(1);
      expect(end - start).toBeLessThanOrEqual(7);
      expect(start).toBeGreaterThanOrEqual(cues[i - 1]?.end ?? 0);
    }
  });

  test("subtitles and their lines end where sentences, clauses and pauses end", async () => {
    const cues = await subtitles({ segments: [lecture] });
    const texts = cues.map(({ lines }) => lines.join(" | "));
    expect(texts).toEqual([
      "Good evening, everybody, | and thank you for coming in this weather.",
      "Tonight I want to talk about | something that most of us never look at,",
      "although we walk across | it every day: the street.",
      "When I was a child, my grandfather | paved streets in a town by the sea,",
      "and he could tell you, | for every single one of them,",
      "where the stones had come from. | Is that a useful thing to know?",
      "I think that it is.",
      "It is the difference between living | in a place and passing through it.",
    ]);
  });

  test("subtitles stay long enough to read 17 letters a second when there is time", async () => {
    const cues = await subtitles({ segments: [lecture, speech("Thank you.", { from: 60 })] });
    for (const [i, cue] of cues.entries()) {
      const next = cues[i + 1]?.start ?? Number.POSITIVE_INFINITY;
      const hurried = letters(cue) / (cue.end - cue.start) > 17.5;
      // A subtitle that is too fast to read stays until the next one.
      if (hurried) expect(next - cue.end).toBeLessThan(0.1);
    }
    const last = cues.at(-1);
    expect((last?.end ?? 0) - (last?.start ?? 0)).toBeCloseTo(1, 1);
  });

  test("a subtitle of one short word is merged with the following one", async () => {
    const yes = { ...speech("Yes.", { word: 0.3 }), end: 0.3 };
    const cues = await subtitles({ segments: [yes, speech("That is what I said to them.", { from: 0.4 })] });
    expect(cues.map(({ lines }) => lines)).toEqual([["Yes. That is what I said to them."]]);
  });

  test("a new speaker begins a new subtitle", async () => {
    const first = { ...speech("Where were you?"), speaker: "Anna" };
    const second = { ...speech("At home.", { from: 1.2 }), speaker: "2" };
    const cues = await subtitles({ segments: [first, second] });
    expect(cues.map(({ lines }) => lines)).toEqual([["Anna: Where were you?"], ["Speaker 2: At home."]]);
  });

  test("splits a word that is longer than a line", async () => {
    const text = `Look at https://example.org/${"a".repeat(90)} please`;
    const cues = await subtitles({ segments: [segment(text, 0, 12)] });
    expect(
      cues
        .flatMap(({ lines }) => lines)
        .join("")
        .replaceAll(" ", ""),
    ).toBe(text.replaceAll(" ", ""));
    for (const line of cues.flatMap(({ lines }) => lines)) expect(width(line)).toBeLessThanOrEqual(42);
  });

  test("Japanese lines have at most 13 characters, break between words and don't begin with a mark", async () => {
    const text =
      "今日はお集まりいただき、ありがとうございます。今夜は、私たちが毎日歩いているのに、ほとんど見ることのない道についてお話ししたいと思います。";
    const segments = [{ ...lecture, end: 24, translation: text }];
    const cues = await subtitles({ segments, targetLanguage: "ja" }, "&content=translation");
    expect(cues.flatMap(({ lines }) => lines).join("")).toBe(text);
    for (const line of cues.flatMap(({ lines }) => lines)) {
      expect(width(line)).toBeLessThanOrEqual(13);
      expect(line).not.toMatch(/^[、。]/);
    }
    expect(cues.length).toBeGreaterThan(2);
  });

  test("spreads a text without word times over the recording", async () => {
    const cues = await subtitles({ segments: [{ ...lecture, words: [] }] });
    expect(cues.flatMap(({ lines }) => lines).join(" ")).toBe(lecture.text);
    expect(cues.at(-1)?.end).toBeCloseTo(lecture.end, 0);
    for (const { lines } of cues) expect(lines.length).toBeLessThanOrEqual(2);
  });

  test("makes subtitles of two hours of speech", async () => {
    const long = Array.from({ length: 800 }, (_, i) => speech(lecture.text.slice(0, 150), { from: i * 9 }));
    const cues = await subtitles({ segments: long });
    expect(cues.length).toBeGreaterThanOrEqual(1_600);
  });
});

describe("subtitles of a translation", () => {
  const german =
    "Guten Abend allerseits, und danke, dass Sie bei diesem Wetter gekommen sind. Heute Abend möchte ich über etwas sprechen, das die " +
    "meisten von uns nie ansehen, obwohl wir jeden Tag darübergehen: die Straße. Als ich ein Kind war, pflasterte mein Großvater Straßen " +
    "in einer Stadt am Meer, und er konnte einem bei jeder einzelnen sagen, woher die Steine stammten. Ist das nützlich zu wissen? Ich " +
    "glaube schon. Es ist der Unterschied zwischen an einem Ort leben und ihn durchqueren.";
  const segments = [{ ...lecture, translation: german }];

  test("subtitles of a translation keep to the times of the original", async () => {
    const cues = await subtitles({ segments, targetLanguage: "de" }, "&content=translation");
    expect(cues.flatMap(({ lines }) => lines).join(" ")).toBe(german);
    for (const line of cues.flatMap(({ lines }) => lines)) expect(width(line)).toBeLessThanOrEqual(42);
    const street = cues.find(({ lines }) => lines.join(" ").includes("Großvater"));
    const spoken = lecture.words.find(({ text }) => text === "grandfather")?.start ?? 0;
    expect(street?.start).toBeLessThan(spoken + 2);
    expect(street?.end).toBeGreaterThan(spoken - 2);
  });

  test("subtitles in both languages have one line of the original and one of the translation", async () => {
    const cues = await subtitles({ segments, targetLanguage: "de" }, "&content=both");
    for (const { lines } of cues) {
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(width(line)).toBeLessThanOrEqual(42);
    }
    expect(cues.map(({ lines }) => lines[0]).join(" ")).toBe(lecture.text);
    expect(cues.flatMap(({ lines }) => lines.slice(1)).join(" ")).toBe(german);
  });

  test("repeats a short original with each part of its long translation", async () => {
    const draft = { segments: [{ ...speech("Donaudampfschifffahrtsgesellschaft!"), end: 4, translation: german.slice(0, 76) }] };
    const cues = await subtitles({ ...draft, targetLanguage: "de" }, "&content=both");
    expect(cues.map(({ lines }) => lines[0])).toEqual(Array(2).fill("Donaudampfschifffahrtsgesellschaft!"));
    expect(cues.map(({ lines }) => lines[1]).join(" ")).toBe(german.slice(0, 76));
  });

  test("a passage without a translation stays in its original words", async () => {
    const draft = { segments: [...segments, speech("Good night.", { from: 60 })], targetLanguage: "de" };
    const cues = await subtitles(draft, "&content=translation");
    expect(cues.at(-1)?.lines).toEqual(["Good night."]);
  });
});

test("subtitles stay in order of time when segments overlap or are out of order", async () => {
  const at = (start: number, text: string, speaker: string) => ({ ...speech(text, { from: start, word: 1 }), speaker });
  const cues = await subtitles({
    segments: [
      at(20, "and this is the last sentence of them all", "1"),
      at(0, "the first who speaks goes on and on. And does not stop. Whoever else may want to say something now.", "1"),
      at(5, "but I also speak", "2"),
    ],
  });
  const starts = cues.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  for (const { start, end } of cues) expect(end).toBeGreaterThan(start);
  expect(cues.at(-1)?.lines.join(" ")).toMatch(/them all$/);
});

describe("text export", () => {
  const segments = [
    { ...speech("Where were you?"), speaker: "1", translation: "Wo warst du?" },
    { ...speech("At home.", { from: 2 }), speaker: "2", translation: "Zu Hause." },
  ];
  test.each([
    ["original", "Speaker 1: Where were you?\nSpeaker 2: At home.\n"],
    ["translation", "Speaker 1: Wo warst du?\nSpeaker 2: Zu Hause.\n"],
    ["both", "Speaker 1: Where were you?\nSpeaker 2: At home.\n\nWo warst du?\nZu Hause.\n"],
  ])("exports the text as %s on request", async (content, expected) => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments, targetLanguage: "de" });
    const answer = await person.call("GET", `${base}/transcription/${id}/export?format=txt&content=${content}`);
    expect(await answer.text()).toBe(`${expected}\nTalk time: Speaker 1 0:00 (60%), Speaker 2 0:00 (40%)\n`);
  });
});
