import { describe, expect, test } from "vitest";
import type { Segment, Transcription } from "#contract/index.ts";
import { selectDraft, selectTranscription, selectTyping } from "#machines/transcription/selectors.ts";
import { transcription } from "#tests/machines/harness.ts";
import { opened, setUp } from "./harness.ts";

const word = (text: string, start: number) => ({ text, start, end: start + 0.4 });
const part = (speaker: string, ...words: ReturnType<typeof word>[]): Segment => ({
  start: words[0]?.start ?? 0,
  end: words.at(-1)?.end ?? 0,
  text: words.map(({ text }) => text).join(" "),
  words,
  speaker,
});

const [how, are, you, fine] = [word("how", 0), word("you", 0.5), word("fine", 2), word("bye", 4)];
/** One segment with two speakers, and a later one with one of them. */
const whole = transcription({ segments: [part("1", how, are, you), part("1", fine)] });
/** The same once it is known who speaks. */
const divided = transcription({ segments: [part("1", how, are), part("2", you), part("1", fine)] });

const shape = (shown: Transcription | null) => shown?.segments.map(({ speaker, text }) => `${speaker}: ${text}`);

describe("speaker identification during corrections", () => {
  test("keeps a correction in flight with its words, and finds the next ones again", async () => {
    const page = await opened(null, whole);
    page.send({ type: "segment.edited", index: 0, text: "How you? Fine!" });
    page.send({ type: "segment.edited", index: 1, text: "Bye." });
    page.send({ type: "transcription.updated", transcription: divided, segments: divided.segments });
    expect(shape(page.get(selectTranscription))).toEqual(["1: How you? Fine!", "1: Bye."]);
    await page.save.last().reject("network");
    page.send({ type: "save.requested" });
    expect(page.save.inputs().at(-1)).toMatchObject({
      id: "t",
      changes: { edits: { 0: "How you? Fine!", 1: "Bye." } },
      spans: { 0: [0, 2.4], 1: [4, 4.4] },
    });
    await page.save.last().resolve(divided);
    expect(shape(page.get(selectTranscription))).toEqual(["1: how you", "2: fine", "1: bye"]);
  });

  test("an open field stays open over the same words after a split elsewhere", async () => {
    const page = await opened(null, whole);
    page.send({ type: "typing.changed", key: "1", text: "bye, then" });
    page.send({ type: "transcription.updated", transcription: divided, segments: divided.segments });
    expect([page.get(selectTyping), shape(page.get(selectTranscription))]).toEqual([
      { 2: "bye, then" },
      ["1: how you", "2: fine", "1: bye"],
    ]);
    page.send({ type: "segment.edited", index: 2, text: "bye, then" });
    expect(page.sent()).toEqual([{ edits: { 2: "bye, then" }, bases: { 2: "bye" } }]);
  });

  test("applies a name to all parts of a passage", async () => {
    const page = await opened(null, whole);
    page.send({ type: "speaker.named", segments: [0], name: "Ada" });
    page.send({ type: "transcription.updated", transcription: divided, segments: divided.segments });
    expect(shape(page.get(selectTranscription))).toEqual(["Ada: how you", "Ada: fine", "1: bye"]);
  });

  test("finds an earlier draft's place again, and keeps the draft until then", async () => {
    const draft = { edits: { 1: "Bye." }, typing: { 0: "How you? F" }, spans: { 0: [0, 2.4], 1: [4, 4.4] } } satisfies Parameters<
      typeof setUp
    >[0];
    const page = setUp(draft);
    expect(page.get(selectDraft)).toEqual(draft);
    await page.load.last().resolve(divided);
    expect(shape(page.get(selectTranscription))).toEqual(["1: how you fine", "1: Bye."]);
    expect(page.get(selectTyping)).toEqual({ 0: "How you? F" });
    expect(page.sent()).toEqual([{ edits: { 1: "Bye." } }]);
  });
});

describe("request to identify the speakers", () => {
  test.each([null, 3])("sends changes with the current places of their segments (%s)", async (speakers) => {
    const page = await opened();
    page.send({ type: "diarization.requested", speakers });
    expect(page.sent()).toEqual([{ diarize: { speakers }, edits: {} }]);
    await page.save.last().resolve(transcription());
    expect(page.changes()).toBe("saved");
  });

  test("emits a refused request without repeating it, and sends typed text without it", async () => {
    const page = await opened();
    page.send({ type: "segment.edited", index: 0, text: "ONE" });
    page.send({ type: "diarization.requested", speakers: null });
    await page.save.last().resolve(transcription());
    await page.save.last().reject("engineUnavailable");
    expect(page.emitted.at(-1)).toEqual({ type: "diarization.failed", code: "engineUnavailable" });
    page.clock.increment(60_000);
    expect([page.save.asked.length, page.changes()]).toEqual([2, "saved"]);
  });
});
