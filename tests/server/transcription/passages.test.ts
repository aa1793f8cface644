import { describe, expect, test } from "vitest";
import type { Passage } from "#contract/index.ts";
import { base, getTranscription, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { scriptedTranslation, segment } from "#tests/server/jobs/scripted.ts";
import { change, save, titles } from "./saved.ts";

const spoken = [
  { ...segment("hello wold how are you", 1, 3), speaker: "1" },
  { ...segment("this is fine", 4, 5.5), speaker: "2" },
];
const passages = (...texts: string[]): Passage[] => texts.map((text) => ({ text, speaker: "1" }));
const split = { regroups: [{ index: 0, count: 1, passages: passages("hello wold", "how are you") }] };
const merge = { regroups: [{ index: 0, count: 2, passages: passages("hello wold how are you this is fine") }] };
const times = (segments: readonly { start: number; end: number }[]) => segments.map(({ start, end }) => [start, end]);

describe("splitting a passage", () => {
  // PROMISE correcting: Enter splits a passage, Backspace merges it; words keep their times
  test("keeps words, times, marks and speaker when a passage is split", async () => {
    const person = await signUp(await startTestServer());
    const words = spoken[0]?.words.map((word) => ({ ...word, confidence: 0.1, heard: "x" })) ?? [];
    const { id } = await save(person, { segments: [{ ...segment("", 1, 3), ...spoken[0], words }, ...spoken.slice(1)] });
    const after = await change(person, id, split);
    expect(after.segments.slice(0, 2).map(({ words: own, speaker }) => [own, speaker])).toEqual([
      [words.slice(0, 2), "1"],
      [words.slice(2), "1"],
    ]);
    expect(times(after.segments)).toEqual([
      [1, 1.8],
      [1.8, 3],
      [4, 5.5],
    ]);
    expect(after.segments[2]).toEqual(spoken[1]);
    const text = await person.call("GET", `${base}/transcription/${id}/export?format=txt`);
    expect(await text.text()).toMatch(/hello wold\n(.*\n)*how are you\n/);
  });

  test("aligns words with their times when a passage is split and corrected at once", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    const after = await change(person, id, {
      regroups: [{ index: 0, count: 1, passages: passages("Hello, world!", "How are you?") }],
    });
    expect(after.text).toBe("Hello, world! How are you? this is fine");
    expect(after.segments.slice(0, 2).map(({ words }) => words.map(({ text, start }) => [text, start]))).toEqual([
      [
        ["Hello,", 1],
        ["world!", 1.4],
      ],
      [
        ["How", 1.8],
        ["are", 2.2],
        ["you?", 2.6],
      ],
    ]);
  });

  test("retranslates only the two parts of a split passage", async () => {
    const asked: string[] = [];
    const translation = scriptedTranslation(async (texts) => {
      asked.push(...texts);
      return texts.map((text) => `es:${text}`);
    });
    const person = await signUp(await startTestServer({ translation }));
    const { id } = await save(person, { segments: spoken });
    await change(person, id, { targetLanguage: "es" });
    asked.length = 0;
    const after = await change(person, id, split);
    expect(after.segments.map((part) => part.translation)).toEqual(["es:hello wold", "es:how are you", "es:this is fine"]);
    expect(asked).toEqual(["hello wold", "how are you"]);
    asked.length = 0;
    const whole = { text: "hello wold how are you", speaker: "1", translation: "as it was", span: [1, 3] };
    const back = await change(person, id, { regroups: [{ index: 0, count: 2, passages: [whole] }] });
    expect([back.segments[0]?.translation, times(back.segments), asked]).toEqual([
      "as it was",
      [
        [1, 3],
        [4, 5.5],
      ],
      [],
    ]);
  });

  test("keeps the translation with the first part when a split can't be translated, and reports it", async () => {
    let down = false;
    const translation = scriptedTranslation(async (texts) => {
      if (down) throw new Error("down");
      return texts.map((text) => `es:${text}`);
    });
    const person = await signUp(await startTestServer({ translation }));
    const { id } = await save(person, { segments: spoken });
    await change(person, id, { targetLanguage: "es" });
    down = true;
    const after = await change(person, id, split);
    expect(after.segments.map((part) => part.translation)).toEqual(["es:hello wold how are you", undefined, "es:this is fine"]);
    expect(after.error?.code).toBe("translationFailed");
  });
});

describe("merging passages", () => {
  test("merges passages with the first one's speaker, all words, and both translations", async () => {
    const person = await signUp(await startTestServer({ translation: scriptedTranslation() }));
    const { id } = await save(person, { segments: spoken });
    await change(person, id, { targetLanguage: "es" });
    const [one, two] = (await getTranscription(person, id)).segments;
    const after = await change(person, id, merge);
    expect(after.segments).toEqual([
      {
        start: 1,
        end: 5.5,
        text: "hello wold how are you this is fine",
        words: [...(one?.words ?? []), ...(two?.words ?? [])],
        speaker: "1",
        translation: `${one?.translation} ${two?.translation}`,
      },
    ]);
    const again = [
      { text: "hello wold how are you", speaker: "1", translation: one?.translation, span: [1, 3] },
      { text: "this is fine", speaker: "2", translation: two?.translation, span: [4, 5.5] },
    ];
    const back = await change(person, id, { regroups: [{ index: 0, count: 1, passages: again }] });
    expect(back.segments).toEqual([one, two]);
  });

  test("doesn't merge twice when the first answer was lost", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    const spans = [
      { index: 0, span: [1, 3] },
      { index: 1, span: [4, 5.5] },
    ];
    const once = await change(person, id, { ...merge, spans });
    expect((await change(person, id, { ...merge, spans })).segments).toEqual(once.segments);
  });
});

describe("changes from another tab", () => {
  const spans = [{ index: 1, span: [4, 5.5] }];

  // PROMISE correcting: Corrections in two tabs are merged
  test("finds a passage by its times after another tab has split a passage before it", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    await change(person, id, split);
    const after = await change(person, id, { regroups: [{ index: 1, count: 1, passages: passages("this", "is fine") }], spans });
    expect(after.segments.map(({ text }) => text)).toEqual(["hello wold", "how are you", "this", "is fine"]);
  });

  test.each([
    ["a split", { regroups: [{ index: 1, count: 1, passages: passages("this", "is fine") }] }],
    ["a correction", { edits: [{ index: 1, text: "That is fine." }] }],
  ])("refuses %s of a passage that another tab has merged away", async (_, update) => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    const merged = await change(person, id, merge);
    const answer = await person.call("PUT", `/audio/remove-transcription/${id}`, { ...update, spans });
    expect(await refusal(answer)).toBe("409 conflict");
    expect((await getTranscription(person, id)).segments).toEqual(merged.segments);
  });
});

const [uno, dos] = [crypto.randomUUID(), crypto.randomUUID()];
test.each([
  ["a part without text", { regroups: [{ index: 0, count: 1, passages: passages("hello", " ") }] }],
  ["segments that are not there", { regroups: [{ index: 1, count: 2, passages: passages("x") }] }],
  ["what touches the same", { regroups: [...split.regroups, ...merge.regroups] }],
  ["no passage at all", { regroups: [{ index: 0, count: 1, passages: [] }] }],
])("refuses to regroup passages: %s", async (_, update) => {
  const person = await signUp(await startTestServer());
  const { id } = await save(person, { segments: spoken });
  expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, update))).toBe("400 badRequest");
});

test("refuses to merge turns of a conversation", async () => {
  const person = await signUp(await startTestServer());
  const segments = spoken.map((one, index) => ({ ...one, turn: index === 0 ? uno : dos }));
  const { id } = await save(person, { segments });
  expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, merge))).toBe("400 badRequest");
});

test("removes only the mark of a confirmed word, even when its passage is merged", async () => {
  const asked: string[] = [];
  const translation = scriptedTranslation(async (texts) => {
    asked.push(...texts);
    return texts.map((text) => `es:${text}`);
  });
  const person = await signUp(await startTestServer({ translation }));
  const unsure = spoken.map((one) => ({ ...one, words: one.words.map((word) => ({ ...word, confidence: 0.1 })) }));
  const { id } = await save(person, { segments: unsure });
  await change(person, id, { targetLanguage: "es" });
  asked.length = 0;
  const right = { start: 4, text: "this", confidence: 1 };
  const gone = { start: 99, text: "gone", confidence: 1 };
  const after = await change(person, id, { words: [right, gone] });
  expect([after.segments[1]?.words.map(({ confidence }) => confidence), asked]).toEqual([[1, 0.1, 0.1], []]);
  const merged = await change(person, id, { ...merge, words: [{ ...right, confidence: null }] });
  expect(merged.segments[0]?.words.slice(5).map(({ confidence }) => confidence)).toEqual([undefined, 0.1, 0.1]);
});

// PROMISE correcting: A corrected translation stays until its original changes
test("keeps a corrected translation until its original changes, and finds and exports it", async () => {
  const translation = scriptedTranslation(async (texts) => texts.map((text) => `es:${text}`));
  const person = await signUp(await startTestServer({ translation }));
  const { id } = await save(person, { segments: spoken });
  await change(person, id, { targetLanguage: "es" });
  const spans = [{ index: 1, span: [4, 5.5] }];
  const after = await change(person, id, { translations: [{ index: 1, text: "todo bien" }], spans });
  expect([after.segments[1]?.translation, after.translatedText]).toEqual(["todo bien", "es:hello wold how are you todo bien"]);
  expect(await titles(person, "?search=todo%20bien")).toHaveLength(1);
  const text = await person.call("GET", `${base}/transcription/${id}/export?format=txt`);
  expect(await text.text()).toContain("todo bien");
  const other = await change(person, id, {
    edits: [{ index: 0, text: "Hello!" }],
    regroups: [{ ...split.regroups[0], index: 1, passages: [{ text: "this is fine", speaker: "2" }] }],
  });
  expect(other.segments.map((part) => part.translation)).toEqual(["es:Hello!", "todo bien"]);
  const anew = await change(person, id, { edits: [{ index: 1, text: "It is fine." }] });
  expect(anew.segments[1]?.translation).toBe("es:It is fine.");
  const missing = { translations: [{ index: 7, text: "x" }] };
  expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, missing))).toBe("400 badRequest");
});
