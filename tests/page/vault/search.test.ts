import { expect, test } from "vitest";
import { wantedIn } from "#contract/search/wanted.ts";
import { findInTexts } from "#src/features/vault/search-texts.ts";
import { searchedText } from "#src/features/vault/searched-text.ts";

const segment = (start: number, text: string, more: object = {}) => ({ start, end: start + 1, text, words: [], ...more });
const textOf = (segments: readonly object[], text = "") => searchedText(JSON.stringify({ text, segments }));
const never = new AbortController().signal;
const find = (query: string, ...texts: ReturnType<typeof textOf>[]) =>
  findInTexts(
    texts.map((text, index) => ({ id: `i${index}`, name: `Recording ${index}`, text })),
    wantedIn("", query),
    never,
  );

test("finds all words in any order in a passage, a translation or a whole text", async () => {
  const talk = textOf([
    segment(1, "The Café at the harbour", { speaker: "2" }),
    segment(2, "The harbour", { translation: "Der Hafen" }),
  ]);
  const [hit, ...more] = (await find("harb cafe", talk, textOf([], "Cafés near harbours"))).hits;
  expect(hit).toEqual({
    id: "i0",
    name: "Recording 0",
    passage: { start: 1, speaker: "2", text: "The Café at the harbour" },
    marks: [
      [4, 8],
      [16, 23],
    ],
  });
  expect(more).toMatchObject([{ id: "i1", passage: { start: null, text: "Cafés near harbours" } }]);
  expect((await find("hafen", talk)).hits).toMatchObject([{ passage: { start: 2, text: "Der Hafen" } }]);
  expect((await find('"the cafe"', talk)).hits.length).toBe(1);
  expect((await find('"cafe the"', talk)).hits).toEqual([]);
  expect((await find("?!", talk)).hits).toEqual([]);
});

test("stops after a hundred hits and says that there are more", async () => {
  const many = textOf(Array.from({ length: 150 }, (_, at) => segment(at, "The harbour")));
  const { hits, hasMore } = await find("harbour", many);
  expect([hits.length, hasMore]).toEqual([100, true]);
});

test("lets the page react while it searches, and stops when aborted", async () => {
  const long = textOf(Array.from({ length: 20_000 }, (_, at) => segment(at, `The old harbour of town number ${at}`)));
  const stop = new AbortController();
  let reacted = false;
  setTimeout(() => {
    reacted = true;
    stop.abort();
  });
  const items = Array.from({ length: 50 }, (_, at) => ({ id: `i${at}`, name: "", text: long }));
  await expect(findInTexts(items, wantedIn("", "harbour missing"), stop.signal)).rejects.toThrow();
  expect(reacted).toBe(true);
});
