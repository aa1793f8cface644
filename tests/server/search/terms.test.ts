import { describe, expect, test } from "vitest";
import { marksIn } from "#contract/search/marks.ts";
import { termsIn } from "#contract/search/terms.ts";
import { singleWordsIn, wantedIn } from "#contract/search/wanted.ts";
import { passagesOf } from "#server/search/passages.ts";
import { rank } from "#server/search/rank.ts";
import { indexedTerms, matchOfPostgres, matchOfSqlite, tagOf } from "#server/search/terms.ts";

const terms = (text: string) => termsIn(text).map(({ term }) => term);

describe("terms of a text", () => {
  test.each([
    ["without case and accents", "Café, ÉCOLE, Ærø; Größe — łódź", ["cafe", "ecole", "aero", "grosse", "lodz"]],
    ["without separators", "l'avion don’t well-known 3.5 a_b", "l avion don t well known 3 5 a b".split(" ")],
    ["with full-width letters", "ＡＢＣ１２", ["abc12"]],
    ["in Cyrillic and Greek", "Ёлка, ΆΓΙΟΣ", ["елка", "αγιοσ"]],
    ["in Arabic without vowel signs", "كِتَاب", ["كتاب"]],
    ["in Hindi with vowels", "हिन्दी", ["हिन्दी"]],
    ["in Korean as whole words", "학교에서 봐요", ["학교에서", "봐요"]],
    ["in Chinese as pairs", "東京都。", ["東京", "京都", "都"]],
    ["with several scripts", "iPhone用", ["iphone", "用"]],
    ["without words", " …!? ", []],
  ])("finds the terms of a text %s", (_, text, expected) => {
    expect(terms(text)).toEqual(expected.map((one) => one.normalize("NFC")));
  });
});

describe("query of the search", () => {
  const tag = tagOf("somebody");
  const bare = (text: string) => matchOfSqlite(wantedIn(tag, text), "all").replaceAll(tag, "");

  test.each([
    ["budget an", '"budget" * AND "an"'],
    ['"the budget" now', '"the budget" AND "now" *'],
    ["„den Plan“", '"den plan"'],
    ['"open quotation', '"open quotation"'],
    ["don't", '"don t"'],
    ["東京都", '"東京 京都"'],
    ["東", '"東" *'],
    ["a\" OR b* NOT {c} : ^d NEAR(e, 2) \\ '", '"or b not c d near e 2"'],
    ["budget budget Budget", '"budget" *'],
  ])("turns the query %j into %s", (text, expected) => {
    // Everything after the first quotation mark is a sequence of words, also the operators.
    expect(bare(text).replace(/^"a" AND /, "")).toBe(expected);
  });

  test("limits a query to twelve words and escapes all operators of a database", () => {
    expect(wantedIn(tag, "word ".repeat(3) + Array.from({ length: 40 }, (_, at) => `w${at}`).join(" ")).length).toBeLessThan(13);
    expect(singleWordsIn(tag, Array.from({ length: 99 }, (_, at) => `w${at}`).join(" "))).toHaveLength(24);
    const odd = "'':*&|!()<->\\\u0000 a:b 'c' d&e";
    expect(matchOfPostgres(wantedIn("t", odd), "all")).toBe("('ta' <-> 'tb') & ('tc') & ('td' <-> 'te')");
  });
});

test("joins the words of one speaker within half a minute into one passage", () => {
  const said = (at: number, text: string, speaker: string) => ({ start: at, end: at + 9, text, words: [], speaker });
  const segments = [
    said(0, "One", "Ann"),
    said(10, "two", "Ann"),
    said(20, "three", "2"),
    said(30, " ", "2"),
    said(40, "four", "2"),
  ];
  const given = { tag: "t", title: "A title", text: "", language: "pt-BR", segments };
  const brief = (passages: ReturnType<typeof passagesOf>) =>
    passages.map((one) => [one.starts_at, one.ends_at, one.speaker, one.text]);
  const passages = passagesOf(given);
  expect(brief(passages)).toEqual([
    [null, null, null, "A title"],
    [0, 19, "Ann", "One two"],
    [20, 49, "2", "three four"],
  ]);
  expect(passages.map(({ language, terms: all }) => [language, all])).toEqual([
    ["pt", "ta ttitle"],
    // Passages are found by the speaker's name, but not by a speaker's number.
    ["pt", "tann ¶ tone ttwo"],
    ["pt", "tthree tfour"],
  ]);
  const corrected = passagesOf({ ...given, segments: segments.with(1, said(10, "something much longer than it was", "Ann")) });
  expect(brief(corrected).filter((_, at) => at !== 1)).toEqual(brief(passages).filter((_, at) => at !== 1));
});

test("divides a long segment into passages with times, and a text without times gets none", () => {
  const words = Array.from({ length: 300 }, (_, at) => ({ text: `word${at}`, start: at, end: at + 1 }));
  const text = words.map((word) => word.text).join(" ");
  const all = passagesOf({ tag: "t", title: "", text, language: "en", segments: [{ start: 0, end: 300, text, words }] });
  expect(all.length).toBeGreaterThan(3);
  expect(all.map((one) => one.text).join(" ")).toBe(text);
  const times = all.map(({ starts_at }) => starts_at ?? -1);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const [at, { text: part }] of all.entries()) {
    const first = words.find((word) => part.startsWith(`${word.text} `))?.start ?? -1;
    expect(Math.abs((times[at] ?? -1) - first)).toBeLessThan(10);
  }
  expect(passagesOf({ tag: "t", title: "", text: "only text", language: "en", segments: [] })).toMatchObject([
    { starts_at: null, text: "only text" },
  ]);
});

test("ranks rare words, whole words, titles and newer passages higher", () => {
  const candidate = (id: number, text: string, rest = {}) => ({
    id,
    transcription_id: "x",
    date: id,
    is_title: 0,
    terms: indexedTerms("t", [text]),
    ...rest,
  });
  const order = (query: string, candidates: ReturnType<typeof candidate>[]) =>
    rank(candidates, singleWordsIn("t", query), { skip: 0, take: 9 }).ids;
  expect(order("the budget", [candidate(1, "the the the"), candidate(2, "the end"), candidate(3, "a budget")])[0]).toBe(3);
  expect(order("plan", [candidate(1, "planning it"), candidate(2, "plan it")])).toEqual([2, 1]);
  expect(order("plan", [candidate(1, "plan it", { is_title: 1 }), candidate(2, "plan it"), candidate(3, "plan it")])).toEqual([
    1, 3, 2,
  ]);
});

test("marks the found words in the original text", () => {
  const marked = (text: string, query: string) =>
    marksIn(text, "t", wantedIn("t", query)).map(([from, to]) => text.slice(from, to));
  expect(marked("Das Café und die CAFÉS", "cafe")).toEqual(["Café", "CAFÉS"]);
  expect(marked("Don’t. do not, don't", "don't")).toEqual(["Don’t", "don't"]);
  expect(marked("我们去東京都吧", "東京都")).toEqual(["東京都"]);
  expect(marked("山水画", "水")).toEqual(["水画"]);
  expect(marked("nothing", "else")).toEqual([]);
});
