import { describe, expect, test } from "vitest";
import { DeletionAnswer, Transcription, trashMs } from "#contract/index.ts";
import {
  base,
  getTranscription,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { change, history, save, titles } from "#tests/server/transcription/saved.ts";

describe("GET /transcription-history", () => {
  // SPEC 7 Transcriptions: "GET /api/v1/audio-transcriptions/transcription-history"
  test("lists the history newest first, in pages", async () => {
    const person = await signUp(await startTestServer());
    for (let day = 1; day <= 5; day++) await save(person, { title: `day ${day}`, date: `2026-03-0${day}T10:00:00.000Z` });
    const first = await history(person, "?limit=2");
    expect(first.data.map(({ title }) => title)).toEqual(["day 5", "day 4"]);
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3 });
    expect(await titles(person, "?limit=2&page=3")).toEqual(["day 1"]);
    expect(await titles(person, "?limit=2&page=4")).toEqual([]);
    expect((await history(person)).pagination).toMatchObject({ page: 1, limit: 20 });
  });

  // SPEC 7 Transcriptions: "[&search={text}]"
  test("searches title, text and translation regardless of case and script", async () => {
    const person = await signUp(await startTestServer());
    await save(person, { title: "Über Äpfel", text: "ein Gespräch" });
    await save(person, { title: "Birnen", text: "ПРИВЕТ", translatedText: "HOLA señor" });
    await save(person, { title: "100% sure_thing", text: "back\\slash" });
    expect(await titles(person, "?search=%C3%A4PFEL")).toEqual(["Über Äpfel"]);
    expect(await titles(person, `?search=${encodeURIComponent("привет")}`)).toEqual(["Birnen"]);
    expect(await titles(person, `?search=${encodeURIComponent(" SEÑOR ")}`)).toEqual(["Birnen"]);
    // Neither accents nor variants of a letter matter, as in the page.
    await save(person, { title: "İstanbul", text: "Café an der Straße", translatedText: "l’été" });
    for (const typed of ["istanbul", "ISTANBUL", "cafe", "cafe\u0301", "STRASSE", "l'ete"]) {
      expect(await titles(person, `?search=${encodeURIComponent(typed)}`)).toEqual(["İstanbul"]);
    }
    expect(await titles(person, `?search=${encodeURIComponent("İstanbul Café")}`)).toEqual([]);
    // LIKE's wildcards are plain text.
    expect(await titles(person, "?search=0%25")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=e_t")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=%25")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=k%5Cs")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=nothing")).toEqual([]);
    expect(await titles(person, "?search=%20")).toHaveLength(4);
  });

  test.each(["?page=0", "?limit=0", "?limit=1001", "?page=x", "?page=-1"])("refuses the history query %s", async (query) => {
    const person = await signUp(await startTestServer());
    expect(await refusal(await person.call("GET", `${base}/transcription-history${query}`))).toBe("400 badRequest");
  });
});

describe("POST /save-final-transcription", () => {
  // SPEC 7 Transcriptions: "POST api/v1/audio-transcriptions/save-final-transcription"
  test("saves a dictation once when it is sent twice with the same client id", async () => {
    const person = await signUp(await startTestServer());
    const clientId = crypto.randomUUID();
    const one = await save(person, { clientId, title: "first" });
    const other = await save(person, { clientId, title: "second" });
    expect(other).toEqual(one);
    expect((await history(person)).pagination.total).toBe(1);
  });

  test("keeps the same client id of two users apart", async () => {
    const server = await startTestServer();
    const [one, other] = [await signUp(server), await signUp(server)];
    const clientId = crypto.randomUUID();
    const first = await save(one, { clientId });
    expect((await save(other, { clientId })).id).not.toBe(first.id);
  });
});

describe("other users' transcriptions", () => {
  test("answers 404 to every request for another user's transcription", async () => {
    const server = await startTestServer();
    const [owner, other] = [await signUp(server), await signUp(server)];
    const { id } = await read(await upload(owner, buzzWav(2)), 202, Transcription);
    await settled(owner, id);
    const calls: [string, string, object?][] = [
      ["GET", `${base}/transcription/${id}`],
      ["GET", `${base}/transcription/${id}/export?format=txt`],
      ["GET", `${base}/transcription/${id}/audio`],
      ["GET", `${base}/transcription/${id}/events`],
      ["POST", `${base}/transcription/${id}/audio-access`],
      ["PUT", `/audio/remove-transcription/${id}`, { title: "mine" }],
      ["PUT", `/audio/remove-transcription/${id}`, { deletedAt: null }],
      ["DELETE", `/audio/remove-transcription/${id}`],
    ];
    for (const [method, path, body] of calls) expect(await refusal(await other.call(method, path, body))).toBe("404 notFound");
    expect((await history(other)).pagination.total).toBe(0);
    expect((await getTranscription(owner, id)).title).toBe("speech");
  });

  test("requires a sign-in for every transcription route", async () => {
    const server = await startTestServer();
    const paths = ["transcription-history", "transcription/x", "transcription/x/audio", "transcription/x/export", "events"];
    for (const path of paths) expect(await refusal(await fetch(`${server.apiUrl}${base}/${path}`))).toBe("401 unauthorized");
    for (const [method, path] of [
      ["POST", `${base}/upload-and-transcribe`],
      ["POST", `${base}/save-final-transcription`],
      ["DELETE", "/audio/remove-transcription/x"],
      ["POST", "/api/v1/translations"],
    ] as const) {
      expect(await refusal(await fetch(`${server.apiUrl}${path}`, { method }))).toBe("401 unauthorized");
    }
  });
});

describe("DELETE /audio/remove-transcription/{id}", () => {
  async function deleted() {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
    await settled(person, id);
    const answer = await read(await person.call("DELETE", `/audio/remove-transcription/${id}`), 200, DeletionAnswer);
    return { clock, server, person, id, answer };
  }

  test("hides a deleted transcription at once and reports when it is erased", async () => {
    const { clock, person, id, answer } = await deleted();
    expect(answer).toEqual({ id, purgeAt: new Date(clock.now() + trashMs).toISOString() });
    expect((await history(person)).pagination.total).toBe(0);
    expect(await refusal(await person.call("GET", `${base}/transcription/${id}`))).toBe("404 notFound");
    expect(await refusal(await person.call("GET", `${base}/transcription/${id}/audio`))).toBe("404 notFound");
    expect(await refusal(await person.call("DELETE", `/audio/remove-transcription/${id}`))).toBe("404 notFound");
  });

  test("restores a deleted transcription with its audio", async () => {
    const { clock, server, person, id } = await deleted();
    clock.advance(599_000);
    await server.sweep();
    expect((await change(person, id, { deletedAt: null })).hasAudio).toBe(true);
    expect((await history(person)).pagination.total).toBe(1);
    expect((await person.call("GET", `${base}/transcription/${id}/audio`)).status).toBe(200);
  });
});

test("shortens a long text in the history but searches and reads all of it", async () => {
  const person = await signUp(await startTestServer());
  const text = `${"whales and harbours ".repeat(1_500)}the very end`;
  const { id } = await save(person, { title: "Long", text });
  await save(person, { title: "Short", text: "the very beginning" });
  const { data } = await history(person);
  expect(data.map(({ title, shortened }) => [title, shortened])).toEqual(
    expect.arrayContaining([
      ["Long", true],
      ["Short", undefined],
    ]),
  );
  expect(data.find((row) => row.id === id)?.text).toBe(text.slice(0, 20_000));
  expect(await titles(person, "?search=very%20END")).toEqual(["Long"]);
  expect((await getTranscription(person, id)).text).toBe(text);
});

describe("the orders of the history", () => {
  /** Four transcriptions with different titles, lengths and dates. */
  async function withFour() {
    const person = await signUp(await startTestServer());
    const made = [
      { title: "Über uns", seconds: 5, day: 1 },
      { title: "apples", seconds: 31, day: 2 },
      { title: "Zoo", seconds: 30, day: 3 },
      { title: "ubiquity", seconds: 7, day: 4 },
    ];
    for (const { title, seconds, day } of made) {
      const segments = [{ start: 0, end: seconds, text: "x", words: [] }];
      await save(person, { title, segments, date: `2026-03-0${day}T10:00:00.000Z` });
    }
    return person;
  }
  const orders: [string, string[]][] = [
    ["newest", ["ubiquity", "Zoo", "apples", "Über uns"]],
    ["oldest", ["Über uns", "apples", "Zoo", "ubiquity"]],
    ["longest", ["apples", "Zoo", "ubiquity", "Über uns"]],
    // Neither case nor accents matter.
    [
      "title",
      ["apples", "Über uns", "ubiquity", "Zoo"].sort((one, other) => one.localeCompare(other, "en", { sensitivity: "base" })),
    ],
  ];

  test.each(orders)("sorts the history by %s across pages", async (sort, wanted) => {
    const person = await withFour();
    expect(await titles(person, `?sort=${sort}`)).toEqual(wanted);
    expect(await titles(person, `?sort=${sort}&limit=2&page=2`)).toEqual(wanted.slice(2));
    expect(await titles(person, `?sort=${sort}&search=x`)).toEqual(wanted);
  });

  test.each(orders)("keeps a cursor's place in the order %s when earlier rows are deleted", async (sort, wanted) => {
    const person = await withFour();
    const first = await history(person, `?sort=${sort}&limit=2`);
    const [gone] = first.data;
    await person.call("DELETE", `/audio/remove-transcription/${gone?.id}`);
    const rest = await history(person, `?sort=${sort}&limit=2&after=${first.next}`);
    expect([rest.data.map(({ title }) => title), rest.pagination.total]).toEqual([wanted.slice(2), 3]);
    expect((await history(person, `?sort=${sort}&limit=2&after=${rest.next}`)).data).toEqual([]);
    const searched = await history(person, `?sort=${sort}&search=x&limit=1&after=${first.next}`);
    expect(searched.data.map(({ title }) => title)).toEqual(wanted.slice(2, 3));
  });

  test.each(["?sort=size", "?after=", "?after=x", "?after=WzFd", "?sort=title&after=WzEsImEiXQ", "?after=WyJhIiwiYSJd"])(
    "refuses the history query %s",
    async (query) => {
      const person = await signUp(await startTestServer());
      expect(await refusal(await person.call("GET", `${base}/transcription-history${query}`))).toBe("400 badRequest");
    },
  );
});
