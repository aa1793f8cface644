import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { Note, type NoteChange, NotesAnswer, noteLimits } from "#contract/index.ts";
import { openTestDb } from "#tests/server/database.ts";
import { base, type Person, read, refusal, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { share, talk, visit } from "#tests/server/sharing/links.ts";
import { change, save } from "#tests/server/transcription/saved.ts";
import { unzipped } from "#tests/server/zip.ts";

const notesOf = (id: string) => `${base}/transcription/${id}/notes`;
const listed = async (person: Person, id: string) => (await read(await person.call("GET", notesOf(id)), 200, NotesAnswer)).notes;
const said: NoteChange = { start: 0.5, end: 1, colour: "green", text: "ask Anna about rhubarb", revision: 0 };
const put = (person: Person, id: string, note: string, wanted: Partial<NoteChange> = {}) =>
  person.call("PUT", `${notesOf(id)}/${note}`, { ...said, ...wanted });
const kept = async (person: Person, id: string, note: string, wanted: Partial<NoteChange> = {}) =>
  read(await put(person, id, note, wanted), 200, Note);

async function begin() {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  const person = await signUp(server);
  const { id } = await save(person, { segments: talk, title: "The harbour", targetLanguage: "es" });
  return { clock, server, person, id };
}

describe("notes of a transcription", () => {
  // PROMISE notes: People highlight and note passages; exports contain the notes
  test("lists notes by their start and keeps their times when the text is corrected", async () => {
    const { person, id } = await begin();
    expect(await listed(person, id)).toEqual([]);
    const [late, early] = [crypto.randomUUID(), crypto.randomUUID()];
    await kept(person, id, late, { start: 1, end: 2, colour: null });
    await kept(person, id, early, { text: "" });
    const before = await listed(person, id);
    expect(before.map(({ id: note, start, colour, text }) => [note, start, colour, text])).toEqual([
      [early, 0.5, "green", ""],
      [late, 1, null, said.text],
    ]);
    await change(person, id, { edits: [{ index: 0, text: "a quite different beginning" }] });
    expect(await listed(person, id)).toEqual(before);
  });

  test("a repeated change of a note changes nothing, and a change of an older revision is refused", async () => {
    const { clock, person, id } = await begin();
    const note = crypto.randomUUID();
    const first = await kept(person, id, note);
    clock.advance(60_000);
    expect(await kept(person, id, note)).toEqual(first);
    const second = await kept(person, id, note, { text: "done", revision: first.revision });
    expect(second).toMatchObject({ text: "done", revision: 2, createdAt: first.createdAt });
    expect(second.changedAt).not.toBe(first.changedAt);
    expect(await refusal(await put(person, id, note, { text: "mine", revision: first.revision }))).toBe("409 conflict");
    expect(await listed(person, id)).toEqual([second]);
  });

  test("deleting a note twice succeeds, and saving a deleted note creates it again", async () => {
    const { person, id } = await begin();
    const note = crypto.randomUUID();
    await kept(person, id, note);
    for (const _ of [1, 2]) expect((await person.call("DELETE", `${notesOf(id)}/${note}`)).status).toBe(204);
    expect(await listed(person, id)).toEqual([]);
    expect(await kept(person, id, note, { revision: 7 })).toMatchObject({ text: said.text, revision: 8 });
  });

  test.each([
    ["neither color nor text", { colour: null, text: " " }],
    ["an invalid color", { colour: "url(x)" }],
    ["an end before its beginning", { start: 3 }],
    ["a negative time", { start: -1 }],
    ["too many characters", { text: "x".repeat(noteLimits.characters + 1) }],
  ])("refuses a note with %s", async (_, wanted) => {
    const { person, id } = await begin();
    const answer = await person.call("PUT", `${notesOf(id)}/${crypto.randomUUID()}`, { ...said, ...wanted });
    expect(await refusal(answer)).toBe("400 badRequest");
    expect(await refusal(await put(person, id, "no-uuid"))).toBe("400 badRequest");
    expect(await listed(person, id)).toEqual([]);
  });

  test("limits the number of notes of a transcription", async () => {
    const { server, person, id } = await begin();
    const first = crypto.randomUUID();
    await kept(person, id, first, { text: "" });
    // Inserts all others but one directly, which is faster.
    const db = await openTestDb(server.dataDir);
    const row = await db.selectFrom("notes").selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: noteLimits.notes - 2 }, () => ({ ...row, id: crypto.randomUUID() }));
    for (let at = 0; at < others.length; at += 100)
      await db
        .insertInto("notes")
        .values(others.slice(at, at + 100))
        .execute();
    await db.destroy();
    await kept(person, id, crypto.randomUUID(), { text: "" });
    expect(await listed(person, id)).toHaveLength(noteLimits.notes);
    expect(await refusal(await put(person, id, crypto.randomUUID()))).toBe("409 tooManyAtOnce");
    // An existing note can still be changed.
    await kept(person, id, first, { text: "more", revision: 1 });
  });
});

describe("ownership of notes", () => {
  test("hides notes from other people, and another person may use the same id", async () => {
    const { server, person, id } = await begin();
    const other = await signUp(server);
    const note = crypto.randomUUID();
    await kept(person, id, note);
    for (const answer of [
      await other.call("GET", notesOf(id)),
      await put(other, id, note, { revision: 1 }),
      await other.call("DELETE", `${notesOf(id)}/${note}`),
    ])
      expect(await refusal(answer)).toBe("404 notFound");
    const own = await save(other, { segments: talk });
    await kept(other, own.id, note, { text: "another's" });
    expect(await listed(person, id)).toMatchObject([{ id: note, text: said.text }]);
  });

  test("a link to the transcript does not show its notes", async () => {
    const { server, person, id } = await begin();
    await kept(person, id, crypto.randomUUID());
    const visitor = visit(server, await share(person, id, { download: true, translation: true }));
    expect(await (await visitor.open()).text()).not.toContain("rhubarb");
    expect(await (await visitor.get("export?format=txt")).text()).not.toContain("rhubarb");
  });

  test("notes are gone while the transcript is in the trash, and come back with it", async () => {
    const { person, id } = await begin();
    await kept(person, id, crypto.randomUUID());
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    expect(await refusal(await person.call("GET", notesOf(id)))).toBe("404 notFound");
    await person.call("POST", `${base}/trash/restore`, { ids: [id] });
    expect(await listed(person, id)).toHaveLength(1);
    // Deletion with the account is tested in tests/server/account/erase.test.ts.
  });

  test("the account's export contains the notes", async () => {
    const { person, id } = await begin();
    await kept(person, id, crypto.randomUUID());
    const answer = await person.call("GET", "/users/me/export");
    const account = unzipped(Buffer.from(await answer.arrayBuffer())).get("account.json") ?? "";
    const Exported = v.pipe(v.string(), v.parseJson(), v.object({ notes: v.array(v.unknown()) }));
    expect(v.parse(Exported, account).notes).toMatchObject([
      { transcription: id, start: 0.5, end: 1, colour: "green", text: said.text, createdAt: "2026-03-01T12:00:00.000Z" },
    ]);
  });
});
