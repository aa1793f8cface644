import { describe, expect, test } from "vitest";
import { SearchAnswer } from "#contract/index.ts";
import { base, type Person, read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { said } from "#tests/server/insights/talk.ts";
import { change, save } from "#tests/server/transcription/saved.ts";

async function search(person: Person, query: string, rest: Record<string, string> = {}): Promise<SearchAnswer> {
  const answer = await person.call("GET", `${base}/search?${new URLSearchParams({ q: query, ...rest })}`);
  return read(answer, 200, SearchAnswer);
}
const texts = async (person: Person, query: string, rest: Record<string, string> = {}) =>
  (await search(person, query, rest)).hits.map(({ text }) => text);

const meeting = [
  said(0, "Shall we begin with the budget?", "Anna"),
  said(1, "It is twelve percent lower than last year.", "1"),
  said(2, "Then we print the catalogue in March.", "Anna"),
];

async function withPerson() {
  const server = await startTestServer();
  return { server, person: await signUp(server) };
}

describe("search in all transcripts", () => {
  // PROMISE search: A search finds passages in all transcripts, with speaker and time
  test("finds passages with speaker, time and marked words, best first", async () => {
    const { person } = await withPerson();
    const { id } = await save(person, { title: "Spring meeting", segments: meeting });
    await save(person, { title: "Another", text: "We spoke of the year and the catalogue of all catalogues." });
    const { hits, ...rest } = await search(person, "Year TWELVE");
    expect(rest).toEqual({ total: 1, hasMore: false, matched: "all", behind: 0, model: null });
    expect(hits).toEqual([
      {
        id,
        title: "Spring meeting",
        date: "2026-03-01T10:00:00.000Z",
        language: "en",
        speaker: "1",
        start: 4,
        end: 7,
        text: "It is twelve percent lower than last year.",
        marks: [
          [6, 12],
          [37, 41],
        ],
        translation: null,
        isTitle: false,
      },
    ]);
    expect((await search(person, "spring")).hits).toMatchObject([{ id, isTitle: true, start: null, text: "Spring meeting" }]);
    // By a speaker and the beginning of a word, by a sequence of words, and by some of the words when no passage has
    // all.
    expect(await texts(person, "anna budg")).toEqual(["Shall we begin with the budget?"]);
    expect(await texts(person, '"print the catalogue"')).toEqual(["Then we print the catalogue in March."]);
    expect(await texts(person, '"catalogue print"')).toHaveLength(2);
    expect(await search(person, "budget rhubarb")).toMatchObject({ matched: "any", total: 1 });
    expect(await search(person, "rhubarb")).toMatchObject({ hits: [], total: 0 });
  });

  // PROMISE search: A search finds passages in all transcripts, with speaker and time
  test("finds words in any script, without their accents, and in translations", async () => {
    const { person } = await withPerson();
    await save(person, { title: "a", text: "昨日は東京都の会議でした。" });
    await save(person, { title: "b", text: "Le café était fermé à l’École." });
    await save(person, { title: "c", text: "Встреча с Алёной." });
    await save(person, { title: "d", text: "학교에서 만나요" });
    await save(person, {
      title: "e",
      segments: [{ ...said(0, "Guten Morgen"), translation: "Good morning to you" }],
      targetLanguage: "en",
    });
    for (const [query, text] of [
      ["東京", "昨日は東京都の会議でした。"],
      ["会", "昨日は東京都の会議でした。"],
      ["ECOLE cafe", "Le café était fermé à l’École."],
      ["аленой", "Встреча с Алёной."],
      ["학교", "학교에서 만나요"],
      ["morning", "Guten Morgen"],
    ] as const) {
      expect([query, await texts(person, query)]).toEqual([query, [text]]);
    }
    expect((await search(person, "morning")).hits[0]?.translation).toEqual({ text: "Good morning to you", marks: [[5, 12]] });
  });

  // PROMISE search: A search finds passages in all transcripts, with speaker and time
  test("the search index follows corrections, names, titles, the trash and erasing", async () => {
    const { server, person } = await withPerson();
    const { id } = await save(person, { title: "First", segments: meeting });
    expect(await texts(person, "budget")).toHaveLength(1);
    await change(person, id, { edits: [{ index: 0, text: "Shall we begin with the weather?" }], title: "Second" });
    expect(await texts(person, "budget")).toEqual([]);
    expect(await texts(person, "weather")).toEqual(["Shall we begin with the weather?"]);
    expect(await texts(person, "first")).toEqual([]);
    expect(await texts(person, "second")).toEqual(["Second"]);
    await change(person, id, { speakers: [{ name: "Bertha", segments: [1] }] });
    expect((await search(person, "bertha")).hits).toMatchObject([{ speaker: "Bertha", start: 4 }]);
    await person.call("POST", `${base}/trash`, { ids: [id] });
    expect(await search(person, "weather")).toMatchObject({ total: 0, behind: 0 });
    await person.call("POST", `${base}/trash/restore`, { ids: [id] });
    expect(await texts(person, "weather")).toHaveLength(1);
    await person.call("POST", `${base}/trash`, { ids: [id] });
    await person.call("POST", `${base}/trash/erase`, { ids: [id] });
    await server.sweep();
    expect(await search(person, "weather")).toMatchObject({ total: 0, behind: 0 });
  });

  test("searches only the person's own transcripts", async () => {
    const { server, person } = await withPerson();
    const other = await signUp(server);
    await save(person, { title: "Mine", text: "the same words" });
    await save(other, { title: "Theirs", text: "the same words" });
    expect((await search(person, "same words")).hits.map(({ title }) => title)).toEqual(["Mine"]);
    expect((await search(other, "same words")).hits.map(({ title }) => title)).toEqual(["Theirs"]);
  });

  test("filters the search by language and day and returns it in pages", async () => {
    const { person } = await withPerson();
    for (let day = 1; day <= 5; day += 1) {
      await save(person, { title: "t", text: `plan ${day}`, date: `2026-03-0${day}T10:00:00Z` });
    }
    const german = { ...said(0, "der Plan"), language: "de" as const };
    await save(person, { title: "t", segments: [german], date: "2026-03-06T10:00:00Z" });
    expect(await texts(person, "plan", { from: "2026-03-02T00:00:00Z", to: "2026-03-04T00:00:00Z" })).toEqual([
      "plan 3",
      "plan 2",
    ]);
    expect(await texts(person, "plan", { language: "de-DE" })).toEqual(["der Plan"]);
    const pages = await Promise.all(["1", "2", "3", "4"].map((page) => search(person, "plan", { page, limit: "2" })));
    expect(pages.map(({ total }) => total)).toEqual([6, 6, 6, 6]);
    const seen = pages.flatMap(({ hits }) => hits.map(({ text }) => text));
    expect(seen.toSorted()).toEqual(["der Plan", "plan 1", "plan 2", "plan 3", "plan 4", "plan 5"]);
  });

  test("refuses invalid search requests but accepts any characters in a query", async () => {
    const { person } = await withPerson();
    await save(person, { title: "t", text: "plain words" });
    for (const query of [
      "q=",
      "q=%20",
      `q=${"x".repeat(301)}`,
      "",
      "q=a&limit=51",
      "q=a&page=0",
      "q=a&from=yesterday",
      "q=a&language='",
    ]) {
      expect([query, await refusal(await person.call("GET", `${base}/search?${query}`))]).toEqual([query, "400 badRequest"]);
    }
    for (const query of [
      '"',
      "*",
      "a*b",
      "NEAR(",
      "AND OR NOT",
      "':*&|!<->",
      "\\",
      "%00",
      "\u{1F600}",
      "\ud800",
      "{}:^-",
      "x ".repeat(150),
    ]) {
      expect([query, (await search(person, query)).hits]).toEqual([query, []]);
    }
  });
});
