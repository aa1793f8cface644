import { expect, test } from "vitest";
import { hiddenOfTurns } from "#server/transcription/hidden.ts";
import { base, getTranscription, type Person, signUp, startTestServer } from "#tests/server/harness.ts";
import { scriptedTranslation, segment } from "#tests/server/jobs/scripted.ts";
import { change, save, titles } from "./saved.ts";

const spoken = [segment("yes", 0, 1), segment("it is late", 1, 2), segment("yes", 2, 3)];

/** A transcript in Spanish with a corrected translation. `asked` collects later requests to the engine. */
async function corrected() {
  const asked: string[] = [];
  const translation = scriptedTranslation(async (texts, { target }) => {
    asked.push(...texts.map((text) => `${target}: ${text}`));
    return texts.map((text) => `${target}:${text}`);
  });
  const person = await signUp(await startTestServer({ translation }));
  const { id } = await save(person, { segments: spoken });
  await change(person, id, { targetLanguage: "es" });
  await change(person, id, { translations: [{ index: 2, text: "claro que sí" }] });
  asked.length = 0;
  return { person, id, asked };
}

const translationsOf = async (person: Person, id: string) =>
  (await getTranscription(person, id)).segments.map(({ translation }) => translation);

test("restores a corrected translation with its language without asking the engine again", async () => {
  const { person, id, asked } = await corrected();
  await change(person, id, { targetLanguage: null });
  expect(await translationsOf(person, id)).toEqual([undefined, undefined, undefined]);
  const again = await change(person, id, { targetLanguage: "es" });
  expect(again.translatedText).toBe("es:yes es:it is late claro que sí");
  await change(person, id, { targetLanguage: "fr" });
  expect(await translationsOf(person, id)).toEqual(["fr:yes", "fr:it is late", "fr:yes"]);
  await change(person, id, { targetLanguage: "es" });
  expect(await translationsOf(person, id)).toEqual(["es:yes", "es:it is late", "claro que sí"]);
  expect(asked).toEqual(["fr: yes", "fr: it is late", "fr: yes"]);
});

test("retranslates only passages that changed while their translation was hidden", async () => {
  const { person, id, asked } = await corrected();
  await change(person, id, { targetLanguage: null });
  await change(person, id, { edits: [{ index: 1, text: "it is early" }] });
  await change(person, id, { regroups: [{ index: 0, count: 2, passages: [{ text: "yes it is early", speaker: null }] }] });
  await change(person, id, { targetLanguage: "es" });
  expect(await translationsOf(person, id)).toEqual(["es:yes it is early", "claro que sí"]);
  expect(asked).toEqual(["es: yes it is early"]);
});

test("hides a translation with the correction from the same save", async () => {
  const { person, id } = await corrected();
  await change(person, id, { translations: [{ index: 1, text: "es tarde" }], targetLanguage: null });
  await change(person, id, { targetLanguage: "es" });
  expect(await translationsOf(person, id)).toEqual(["es:yes", "es tarde", "claro que sí"]);
});

test("excludes a hidden translation from exports and searches", async () => {
  const { person, id } = await corrected();
  expect(await titles(person, "?search=claro")).toHaveLength(1);
  await change(person, id, { targetLanguage: null });
  expect(await titles(person, "?search=claro")).toEqual([]);
  for (const format of ["txt", "json", "srt"]) {
    const exported = await person.call("GET", `${base}/transcription/${id}/export?format=${format}`);
    expect(await exported.text()).not.toContain("claro");
  }
  const read = await person.call("GET", `${base}/transcription/${id}`);
  expect(await read.text()).not.toContain("claro");
});

test("deletes the hidden translations of a deleted turn", () => {
  const own = { start: 0, text: "a", translation: "x" };
  const kept = { ...own, turn: "k" };
  const deleted = { ...own, turn: "d" };
  const hidden = { es: [own, kept, deleted], en: [deleted] };
  expect(hiddenOfTurns(hidden, [{ turn_id: "k" }])).toEqual({ es: [own, kept], en: [] });
});
