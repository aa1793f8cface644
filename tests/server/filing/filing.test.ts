import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  BatchAnswer,
  FilingAnswer,
  Folder,
  filingLimits,
  maxArchived,
  Tag,
  Transcription,
  UserProfile,
} from "#contract/index.ts";
import { openTestDb } from "#tests/server/database.ts";
import { base, type Person, read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { change, history, save } from "#tests/server/transcription/saved.ts";
import { batch } from "#tests/server/transcriptions/trash.ts";
import { unzipped } from "#tests/server/zip.ts";

const folder = async (person: Person, name: string) => read(await person.call("POST", `${base}/folders`, { name }), 201, Folder);
const tag = async (person: Person, name: string, colour = "red") =>
  read(await person.call("POST", `${base}/tags`, { name, colour }), 201, Tag);
const filing = async (person: Person) => read(await person.call("GET", `${base}/filing`), 200, FilingAnswer);
const place = async (person: Person, ids: readonly string[], what: object) =>
  read(await person.call("POST", `${base}/filing`, { ids, ...what }), 200, BatchAnswer);
const filedIn = async (person: Person, id: string) => (await history(person)).data.find((row) => row.id === id)?.filed;
const nowhere = { folderId: null, tagIds: [], favourite: false };

async function begin() {
  const server = await startTestServer();
  return { server, person: await signUp(server) };
}

describe("folders and tags", () => {
  test("creates, renames and recolors folders and tags and lists them by name", async () => {
    const { person } = await begin();
    expect(await filing(person)).toEqual({ folders: [], tags: [] });
    const [work, home] = [await folder(person, " Work "), await folder(person, "home")];
    const urgent = await tag(person, "Urgent");
    expect(work).toEqual({ id: work.id, name: "Work" });
    const renamed = await person.call("PUT", `${base}/folders/${work.id}`, { name: "A job" });
    expect(await read(renamed, 200, Folder)).toEqual({ id: work.id, name: "A job" });
    await person.call("PUT", `${base}/tags/${urgent.id}`, { name: "urgent", colour: "blue" });
    expect(await filing(person)).toEqual({
      folders: [{ id: work.id, name: "A job" }, home],
      tags: [{ id: urgent.id, name: "urgent", colour: "blue" }],
    });
  });

  test("refuses a folder name that the person already uses in any case", async () => {
    const { server, person } = await begin();
    const [one, other] = [await folder(person, "ÉTÉ"), await folder(person, "b")];
    const refusals = [
      await person.call("POST", `${base}/folders`, { name: "été" }),
      await person.call("PUT", `${base}/folders/${other.id}`, { name: "Été" }),
    ];
    expect(await Promise.all(refusals.map(refusal))).toEqual(["409 conflict", "409 conflict"]);
    // The folder may change the case of its own name, and a tag may have a folder's name.
    expect((await person.call("PUT", `${base}/folders/${one.id}`, { name: "été" })).status).toBe(200);
    await tag(person, "été");
    await folder(await signUp(server), "été");
  });

  test.each([
    ["folders", { name: " " }],
    ["folders", { name: "x".repeat(61) }],
    ["folders", { name: "a\nb" }],
    ["folders", { name: "a\u0000b" }],
    ["tags", { name: "a" }],
    ["tags", { name: "a", colour: "url(x)" }],
  ])("refuses new %s with the values %j", async (kind, draft) => {
    const { person } = await begin();
    expect(await refusal(await person.call("POST", `${base}/${kind}`, draft))).toBe("400 badRequest");
  });

  test("limits the number of a person's folders", async () => {
    const { server, person } = await begin();
    const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
    const names = Array.from({ length: filingLimits.folders - 1 }, (_, count) => `${count}`);
    const db = await openTestDb(server.dataDir);
    await db
      .insertInto("folders")
      .values(names.map((name) => ({ id: crypto.randomUUID(), user_id: id, name, name_key: name })))
      .execute();
    await db.destroy();
    await folder(person, "last");
    expect(await refusal(await person.call("POST", `${base}/folders`, { name: "more" }))).toBe("409 tooManyAtOnce");
  });
});

describe("filing of transcriptions", () => {
  // PROMISE history: Folders, tags and favourites apply to many rows; many rows export as one .zip
  test("files many transcriptions at once by folder, tags and favorite, and keeps what is not named", async () => {
    const { person } = await begin();
    const ids = [(await save(person)).id, (await save(person)).id];
    const [work, urgent, later] = [await folder(person, "Work"), await tag(person, "Urgent"), await tag(person, "Later")];
    expect(await filedIn(person, ids[0] ?? "")).toEqual(nowhere);
    const moved = await place(person, [...ids, "none"], { folderId: work.id, addTags: [urgent.id, later.id] });
    expect(moved).toEqual({ done: ids, failed: [{ id: "none", code: "notFound" }] });
    await place(person, ids, { removeTags: [urgent.id], favourite: true });
    for (const id of ids) expect(await filedIn(person, id)).toEqual({ folderId: work.id, tagIds: [later.id], favourite: true });
    await place(person, ids, { folderId: null, favourite: false });
    expect(await filedIn(person, ids[1] ?? "")).toEqual({ folderId: null, tagIds: [later.id], favourite: false });
    // A single transcription and the answer to a correction contain the tags, too.
    const one = await read(await person.call("GET", `${base}/transcription/${ids[0]}`), 200, Transcription);
    expect([one.filed?.tagIds, (await change(person, ids[0] ?? "", { title: "x" })).filed?.tagIds]).toEqual([
      [later.id],
      [later.id],
    ]);
  });

  test("keeps transcriptions when their folder or tag is deleted", async () => {
    const { person } = await begin();
    const { id } = await save(person);
    const [work, urgent] = [await folder(person, "Work"), await tag(person, "Urgent")];
    await place(person, [id], { folderId: work.id, addTags: [urgent.id] });
    expect((await person.call("DELETE", `${base}/folders/${work.id}`)).status).toBe(204);
    expect((await person.call("DELETE", `${base}/tags/${urgent.id}`)).status).toBe(204);
    expect([await filedIn(person, id), await filing(person)]).toEqual([nowhere, { folders: [], tags: [] }]);
    expect(await refusal(await person.call("DELETE", `${base}/tags/${urgent.id}`))).toBe("404 notFound");
  });

  test("a transcription restored from the trash is in its former folder", async () => {
    const { person } = await begin();
    const { id } = await save(person);
    const work = await folder(person, "Work");
    await place(person, [id], { folderId: work.id });
    await batch(person, "", [id]);
    expect((await place(person, [id], { folderId: null })).failed).toEqual([{ id, code: "notFound" }]);
    await batch(person, "/restore", [id]);
    expect(await filedIn(person, id)).toEqual({ ...nowhere, folderId: work.id });
  });

  test('answers "not found" for transcriptions, folders and tags of other people', async () => {
    const { server, person } = await begin();
    const other = await signUp(server);
    const [mine, theirs] = [await save(person), await save(other)];
    const [theirFolder, theirTag] = [await folder(other, "Secret"), await tag(other, "Secret")];
    expect(await place(person, [theirs.id], { favourite: true })).toEqual({
      done: [],
      failed: [{ id: theirs.id, code: "notFound" }],
    });
    for (const what of [{ folderId: theirFolder.id }, { addTags: [theirTag.id] }, { folderId: "x" }])
      expect(await refusal(await person.call("POST", `${base}/filing`, { ids: [mine.id], ...what }))).toBe("404 notFound");
    // Removing another person's tag changes nothing, so it is allowed.
    expect(await place(person, [mine.id], { removeTags: [theirTag.id] })).toEqual({ done: [mine.id], failed: [] });
    expect([await filedIn(person, mine.id), await filedIn(other, theirs.id)]).toEqual([nowhere, nowhere]);
  });

  test("limits the tags of a transcription and refuses an empty change", async () => {
    const { person } = await begin();
    const { id } = await save(person);
    const all = [];
    for (let count = 0; count <= filingLimits.tagsOfOne; count += 1) all.push((await tag(person, `${count}`)).id);
    await place(person, [id], { addTags: all.slice(0, -1) });
    expect((await place(person, [id], { addTags: all.slice(-1) })).failed).toEqual([{ id, code: "tooManyAtOnce" }]);
    // One tag in exchange for another is allowed.
    expect((await place(person, [id], { addTags: all.slice(-1), removeTags: all.slice(0, 1) })).done).toEqual([id]);
    for (const body of [{ ids: [id] }, { ids: [], favourite: true }, { ids: [id], addTags: all }])
      expect(await refusal(await person.call("POST", `${base}/filing`, body))).toBe("400 badRequest");
  });
});

/** The events about all transcriptions, in order. */
async function* events(person: Person) {
  const answer = await person.call("GET", `${base}/events`);
  let text = "";
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as unknown };
    }
  }
}

test("the event stream sends changes of filing and begins with the present folders and tags", async () => {
  const { server, person } = await begin();
  const { id } = await save(person);
  const stranger = await signUp(server);
  const stream = events(person);
  const first = stream.next();
  await folder(stranger, "not for you");
  const work = await folder(person, "Work");
  expect((await first).value).toEqual({ event: "filing", data: { folders: [work], tags: [] } });
  await place(person, [id], { folderId: work.id });
  const row = v.object({
    event: v.literal("transcription"),
    data: v.object({ transcription: v.object({ filed: v.unknown() }) }),
  });
  expect(v.parse(row, (await stream.next()).value).data.transcription.filed).toEqual({ ...nowhere, folderId: work.id });
  await person.call("DELETE", `${base}/folders/${work.id}`);
  expect((await stream.next()).value).toEqual({ event: "filing", data: { folders: [], tags: [] } });
  await stream.return();
  await tag(person, "Urgent");
  const later = events(person);
  expect((await later.next()).value).toMatchObject({ event: "filing", data: { tags: [{ name: "Urgent" }] } });
  await later.return();
});

describe("archive of transcriptions", () => {
  const archive = (person: Person, body: object) => person.call("POST", `${base}/archive`, body);
  const filesOf = async (answer: Response) => unzipped(Buffer.from(await answer.arrayBuffer()));

  // PROMISE history: Folders, tags and favourites apply to many rows; many rows export as one .zip
  test("an archive has each transcription in each format under unique, safe file names", async () => {
    const { server, person } = await begin();
    const titles = ["../talk: one", "Talk", "talk"];
    const ids: string[] = [];
    for (const title of titles) ids.push((await save(person, { title, text: `This is ${title}.` })).id);
    const gone = await save(person, { title: "gone" });
    await batch(person, "", [gone.id]);
    const theirs = await save(await signUp(server), { title: "not for you" });
    const answer = await archive(person, { ids: [...ids, gone.id, theirs.id, ids[0]], formats: ["txt", "json", "txt"] });
    expect(answer.headers.get("Content-Type")).toBe("application/zip");
    expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="transcripts-\d{4}-\d\d-\d\d\.zip"$/);
    const files = await filesOf(answer);
    const names = ["talk one", "Talk", "talk (2)"];
    expect([...files.keys()].toSorted()).toEqual(names.flatMap((name) => [`${name}.txt`, `${name}.json`]).toSorted());
    expect(files.get("talk (2).txt")).toContain("This is talk.");
  });

  test("refuses an archive without any known transcription and one that is too large", async () => {
    const { person } = await begin();
    const { id } = await save(person);
    expect(await refusal(await archive(person, { ids: ["none"], formats: ["txt"] }))).toBe("404 notFound");
    const many = Array.from({ length: maxArchived + 1 }, (_, at) => `${at}`);
    for (const body of [
      { ids: many, formats: ["txt"] },
      { ids: [id], formats: [] },
      { ids: [id], formats: ["exe"] },
    ])
      expect(await refusal(await archive(person, body))).toBe("400 badRequest");
  });

  test("a canceled download of an archive frees its slot", async () => {
    const { person } = await begin();
    const { id } = await save(person);
    const body = { ids: [id], formats: ["txt"] };
    const open = [await archive(person, body), await archive(person, body)];
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(open.map(({ body: unread }) => unread?.cancel()));
    for (let count = 0; count < 3; count += 1) expect((await filesOf(await archive(person, body))).size).toBe(1);
  });
});

test("the export of the account contains folders, tags and favorites by name", async () => {
  const { person } = await begin();
  const { id } = await save(person);
  const [work, urgent] = [await folder(person, "Work"), await tag(person, "Urgent", "teal")];
  await place(person, [id], { folderId: work.id, addTags: [urgent.id], favourite: true });
  const files = unzipped(Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer()));
  expect(JSON.parse(files.get("account.json") ?? "")).toMatchObject({
    folders: [{ name: "Work" }],
    tags: [{ name: "Urgent", colour: "teal" }],
    filed: [{ transcription: id, folder: "Work", tags: ["Urgent"], favourite: true }],
  });
});
