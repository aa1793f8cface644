import { expect, test } from "vitest";
import type { Segment, Transcription } from "#contract/index.ts";
import { selectRedo, selectUndo } from "#machines/transcription/selectors.ts";
import { transcription } from "#tests/machines/harness.ts";
import { opened } from "./harness.ts";

const undo = { type: "undo.requested" } as const;

/** "one two" in a language; null: the translation is hidden. */
function shownIn(targetLanguage: string | null, translations: readonly string[]): Transcription {
  const translated = (segment: Segment, at: number) =>
    targetLanguage === null ? segment : { ...segment, translation: translations[at] };
  const { segments } = transcription();
  return transcription({ targetLanguage, segments: segments.map(translated) });
}

/** A page on which the first translation was corrected, and that is saved. */
async function corrected() {
  const page = await opened(null, shownIn("es", ["uno", "dos"]));
  page.send({ type: "translation.edited", index: 0, text: "un" });
  await page.save.last().resolve(shownIn("es", ["un", "dos"]));
  return page;
}

test("undo does not touch a translation that is hidden, and does when it is shown again", async () => {
  const page = await corrected();
  page.send({ type: "translation.requested", targetLanguage: null });
  expect(page.get(selectUndo)).toBeNull();
  await page.save.last().resolve(shownIn(null, []));
  page.send(undo);
  expect([page.get(selectUndo), page.sent().length]).toEqual([null, 2]);
  page.send({ type: "translation.requested", targetLanguage: "es" });
  await page.save.last().resolve(shownIn("es", ["un", "dos"]));
  page.send(undo);
  expect(page.sent().at(-1)).toEqual({ edits: {}, translations: { 0: "uno" } });
  expect(page.get(selectRedo)).toMatchObject({ kind: "translation", index: 0 });
});

test("undo puts no translation back that is in another language than the one that is shown", async () => {
  const page = await opened(null, shownIn("es", ["uno", "dos"]));
  page.send({ type: "segment.merged", index: 1 });
  const [first] = shownIn("es", ["uno dos"]).segments;
  const merged = { ...first, start: 0, end: 2, text: "one two", words: [] };
  await page.save.last().resolve(transcription({ targetLanguage: "es", segments: [merged] }));
  page.send({ type: "translation.requested", targetLanguage: "fr" });
  const french = { ...merged, translation: "un deux" };
  await page.save.last().resolve(transcription({ targetLanguage: "fr", segments: [french] }));
  page.send(undo);
  expect(
    page
      .sent()
      .at(-1)
      ?.regroups?.[0]?.passages.map(({ text, translation }) => [text, translation]),
  ).toEqual([
    ["one", undefined],
    ["two", undefined],
  ]);
});
