import { describe, expect, test } from "vitest";
import type { OtherText } from "#contract/index.ts";
import { selectDraft, selectPersistedDraft, selectTranscription, selectTyping } from "#machines/transcription/selectors.ts";
import { transcription } from "#tests/machines/harness.ts";
import { opened } from "./harness.ts";

// A change includes its base version, the text from when the user started to change it. With it the server merges the
// change with those of other users.

const [first, second] = transcription().segments;
if (first === undefined || second === undefined) throw new Error("There are two passages.");
const other: OtherText = { id: "6f9619ff-8b86-4d01-b42d-00c04fc964ff", text: "ONE", by: "anna@example.org" };
/** Another user's saved version. */
const changed = transcription({ segments: [{ ...first, text: "one and only" }, second] });
const news = { type: "transcription.updated", transcription: changed, segments: changed.segments } as const;
type Page = Awaited<ReturnType<typeof opened>>;
const based = (page: Page) => page.save.inputs().at(-1)?.based;
const shownTexts = (page: Page) => page.get(selectTranscription)?.segments.map(({ text }) => text);

describe("base version of a text", () => {
  test("keeps the version before another person's change through all retries", async () => {
    const page = await opened();
    page.send({ type: "segment.edited", index: 0, text: "One." });
    await page.save.last().reject("network");
    page.send(news);
    expect(shownTexts(page)).toEqual(["One.", "two"]);
    page.send({ type: "segment.edited", index: 0, text: "One!" });
    page.send({ type: "save.requested" });
    expect(based(page)).toEqual({ edits: { 0: "One!" }, bases: { 0: "one" } });
  });

  test("stores the base over a reload and then shows the other person's change", async () => {
    const page = await opened();
    page.send({ type: "segment.edited", index: 0, text: "One." });
    await page.save.last().reject("network");
    page.send({ type: "typing.changed", key: "1", text: "two or thr" });
    const draft = page.get(selectPersistedDraft);
    expect(draft).toMatchObject({ bases: { 0: "one" }, begun: { 1: "two" } });
    page.stop();
    const again = await opened(
      draft,
      transcription({
        segments: [
          { ...first, text: "one and only" },
          { ...second, text: "2" },
        ],
      }),
    );
    expect(based(again)).toMatchObject({ edits: { 0: "One." }, bases: { 0: "one" } });
    again.send({ type: "segment.edited", index: 1, text: "two or three" });
    await again.save.last().resolve(
      transcription({
        segments: [
          { ...first, text: "One and only." },
          { ...second, text: "2" },
        ],
      }),
    );
    expect(based(again)).toEqual({ edits: { 1: "two or three" }, bases: { 1: "two" } });
  });

  test("keeps the base of an open field, whose typed text stays", async () => {
    const page = await opened();
    page.send({ type: "typing.changed", key: "0", text: "one mor" });
    page.send(news);
    expect(page.get(selectTyping)).toEqual({ 0: "one mor" });
    page.send({ type: "segment.edited", index: 0, text: "one more" });
    expect(based(page)).toEqual({ edits: { 0: "one more" }, bases: { 0: "one" } });
    await page.save.last().resolve(transcription({ segments: [{ ...first, text: "one more and only" }, second] }));
    expect([shownTexts(page), page.get(selectDraft)]).toEqual([["one more and only", "two"], null]);
  });

  test("uses the merged text as the base of an open field's passage", async () => {
    const page = await opened();
    page.send({ type: "typing.changed", key: "1", text: "two or three" });
    const whole = transcription({ segments: [{ ...first, text: "one two", end: second.end }] });
    page.send({ type: "transcription.updated", transcription: whole, segments: whole.segments });
    expect(page.get(selectTyping)).toEqual({ 0: "one two or three" });
    page.send({ type: "segment.edited", index: 0, text: "one two or three" });
    expect(based(page)).toEqual({ edits: { 0: "one two or three" }, bases: { 0: "one two" } });
  });

  test("keeps the other person's change when the person undoes their own", async () => {
    const page = await opened();
    page.send({ type: "segment.edited", index: 0, text: "One" });
    await page.save.last().resolve(transcription({ segments: [{ ...first, text: "One and only" }, second] }));
    page.send({ type: "undo.requested" });
    expect(based(page)).toEqual({ edits: { 0: "one" }, bases: { 0: "One" } });
  });

  test("uses the person's own or initial text as the base of a whole text", async () => {
    const whole = (text: string) => transcription({ segments: [], text });
    const page = await opened(null, whole("all"));
    page.send({ type: "text.edited", text: "all of it" });
    await page.save.last().resolve(whole("all of it, and more"));
    page.send({ type: "undo.requested" });
    expect(based(page)).toEqual({ text: "all", edits: {}, textBase: "all of it" });
    await page.save.last().resolve(whole("all"));
    page.send({ type: "typing.changed", key: "text", text: "all th" });
    page.send({ type: "transcription.updated", transcription: whole("ALL") });
    expect(page.get(selectTyping)).toEqual({ text: "all th" });
    page.send({ type: "text.edited", text: "all that" });
    expect(based(page)).toEqual({ text: "all that", edits: {}, textBase: "all" });
  });

  test("does not mix a whole text's base with a passage's", async () => {
    const page = await opened();
    page.send({ type: "segment.edited", index: 1, text: "Two." });
    await page.save.last().reject("network");
    page.send({ ...news, transcription: { ...changed, text: "one and only two" } });
    page.send({ type: "save.requested" });
    expect(page.sent().at(-1)).toEqual({ edits: { 1: "Two." } });
    expect(based(page)).toEqual({ edits: { 1: "Two." }, bases: { 1: "two" } });
  });

  test("keeps the base of each merged passage, even if only the later one was changed", async () => {
    const page = await opened();
    page.send({ type: "typing.changed", key: "1", text: " 2 " });
    const later = transcription({ segments: [first, { ...second, text: "two and only" }] });
    page.send({ type: "transcription.updated", transcription: later, segments: later.segments });
    page.send({ type: "segment.merged", index: 1 });
    expect(based(page)?.regroups).toEqual([
      { index: 0, count: 2, passages: [{ text: "one 2", speaker: null }], bases: ["one", "two"] },
    ]);
    expect(page.emitted.at(-1)).toEqual({ type: "passage.merged", index: 0, caret: 4 });
  });

  test("keeps the base version of each split passage", async () => {
    const page = await opened();
    page.send({ type: "typing.changed", key: "0", text: "one mor" });
    page.send(news);
    page.send({ type: "segment.split", index: 0, before: "one", after: "mor" });
    expect(based(page)?.regroups).toMatchObject([{ index: 0, count: 1, bases: ["one"] }]);
    await page.save.last().reject("network");
    const later = transcription({ segments: [{ ...first, text: "one, two, three" }, second] });
    page.send({ type: "transcription.updated", transcription: later, segments: later.segments });
    page.send({ type: "save.requested" });
    expect(based(page)?.regroups).toMatchObject([{ index: 0, count: 1, bases: ["one"] }]);
  });
});

describe("another person's version of a passage", () => {
  const both = transcription({ segments: [{ ...first, others: [other] }, second] });

  test("replaces the text, and an undo restores both versions", async () => {
    const page = await opened(null, both);
    page.send({ type: "other.settled", index: 0, other, take: true });
    expect(page.get(selectTranscription)?.segments[0]).toMatchObject({ text: "ONE" });
    expect(page.get(selectTranscription)?.segments[0]?.others).toBeUndefined();
    expect(based(page)).toEqual({
      edits: { 0: "ONE" },
      bases: { 0: "one" },
      others: { [other.id]: { index: 0, other, present: false } },
    });
    await page.save.last().resolve(transcription({ segments: [{ ...first, text: "ONE" }, second] }));
    page.send({ type: "undo.requested" });
    expect(page.get(selectTranscription)?.segments[0]).toMatchObject({ text: "one", others: [other] });
    expect(based(page)?.others).toEqual({ [other.id]: { index: 0, other, present: true } });
  });

  test("another person's version of a passage is rejected while the text stays", async () => {
    const page = await opened(null, both);
    page.send({ type: "other.settled", index: 0, other, take: false });
    expect(shownTexts(page)).toEqual(["one", "two"]);
    expect(based(page)).toEqual({ edits: {}, others: { [other.id]: { index: 0, other, present: false } } });
  });
});
