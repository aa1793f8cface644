import { once } from "node:events";
import { request } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import * as v from "valibot";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { closeCodes, StorageUse, UserProfile } from "#contract/index.ts";
import { countedTables, rowBytes, uncountedTables } from "#server/db/counted.ts";
import { installLedger, openCounter } from "#server/db/ledger.ts";
import { countRows } from "#server/db/results.ts";
import { onPostgres, openTestDb } from "#tests/server/database.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { base, eventually, type Person, read, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { bodies } from "#tests/server/http/bodies.ts";
import { type Call, permissions } from "#tests/server/http/permissions.ts";
import { peopled } from "#tests/server/http/visitors.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { shareWith } from "#tests/server/people/shared.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { here, talk } from "#tests/server/translator/talking.ts";
import { putBytes, putIn, vaults, withVault } from "#tests/server/vault/vaults.ts";

// A user's bytes are counted (server/db/counted.ts) and limited (subscription/storage-quota.ts) in the writing
// transaction.

type Server = Awaited<ReturnType<typeof startTestServer>>;
const mebibyte = 1024 * 1024;
const env = { STORAGE_QUOTA_FREE_MB: "100", STORAGE_QUOTA_PREMIUM_MB: "100", WEBHOOK_ALLOW_HOSTS: "127.0.0.1:9" };

async function openLedger({ dataDir }: Pick<Server, "dataDir">) {
  const db = await openTestDb(dataDir);
  onTestFinished(() => db.destroy());
  const counter = await openCounter(db);
  const idOf = async (person: Person) => (await read(await person.call("GET", "/users/me"), 200, UserProfile)).id;
  return {
    db,
    /** Bytes, counted row by row. */
    count: async (person: Person) => counter(db, await idOf(person)),
    /** Bytes, as the server reports them. */
    use: async (person: Person) => (await read(await person.call("GET", "/api/v1/storage"), 200, StorageUse)).usedBytes,
    /** Sets the stored sum. `checked_at` tells when the sum was last checked: now, or long ago. */
    write: async (person: Person, bytes: number, checked_at = Date.now()) => {
      const id = await idOf(person);
      await db.updateTable("storage_use").set({ bytes, checked_at }).where("user_id", "=", id).execute();
    },
  };
}

const Made = v.object({ id: v.string() });
const Names = v.array(v.object({ name: v.string() }));
const References = v.array(v.object({ table: v.string() }));

describe("the list of counted tables", () => {
  test.skipIf(onPostgres)("lists every table with a person's data as counted, or with the reason why it isn't", () => {
    using db = new DatabaseSync(inject("emptyDatabase"), { readOnly: true });
    const namesOf = (statement: string) => v.parse(Names, db.prepare(statement).all()).map(({ name }) => name);
    const tables = namesOf("select name from sqlite_master where type = 'table'");
    const people = new Set(["users"]);
    const belongs = (table: string) =>
      namesOf(`select name from pragma_table_info('${table}')`).includes("user_id") ||
      v.parse(References, db.prepare(`pragma foreign_key_list("${table}")`).all()).some((parent) => people.has(parent.table));
    for (let before = 0; before < people.size; ) {
      before = people.size;
      for (const table of tables) if (belongs(table)) people.add(table);
    }
    const listed = [...countedTables.map(({ name }) => name), ...Object.keys(uncountedTables)];
    expect(listed.toSorted()).toEqual([...people].toSorted());
  });

  test("keeps the database's triggers equal to the list of counted tables", async () => {
    const server = await startTestServer();
    const { db } = await openLedger(server);
    const triggers = async () =>
      (
        await (onPostgres
          ? sql`select proname, prosrc from pg_proc where starts_with(proname, 'stored_') order by proname`
          : sql`select name, sql from sqlite_master where type = 'trigger' order by name`
        ).execute(db)
      ).rows;
    const before = await triggers();
    await db.transaction().execute(installLedger);
    // A migration that changes a counted table must recreate its triggers (db/ledger.ts, `installLedger`).
    expect(before).toEqual(await triggers());
  });

  test("moves a row's bytes to its new owner, or to the owner of its new transcription", async () => {
    const server = await startTestServer();
    const { db, count, use } = await openLedger(server);
    const [ann, bob] = [await signUp(server), await signUp(server)];
    const [tagged, other] = [await save(ann, { text: "tagged" }), await save(bob, { text: "other" })];
    const tag = await ann.call("POST", `${base}/tags`, { name: "Tea", colour: "red" });
    const { id: tagId } = await read(tag, 201, Made);
    await db.insertInto("transcription_tags").values({ transcription_id: tagged.id, tag_id: tagId }).execute();
    const bytes = async () => ({ ann: await use(ann), bob: await use(bob) });
    const before = await bytes();
    await db.updateTable("transcription_tags").set({ transcription_id: other.id }).execute();
    expect(await bytes()).toEqual({ ann: before.ann - rowBytes, bob: before.bob + rowBytes });
    const owner = await db.selectFrom("transcriptions").select("user_id").where("id", "=", other.id).executeTakeFirstOrThrow();
    await db.updateTable("tags").set(owner).execute();
    expect(await bytes()).toEqual({ ann: await count(ann), bob: await count(bob) });
    expect((await bytes()).ann).toBeLessThan(before.ann - rowBytes);
  });
});

/** Bodies that make an existing thing longer, where the table of permissions has none. */
const longer: Record<string, unknown> = {
  "PATCH /users/me/webhooks/:id": { url: `http://127.0.0.1:9/${"x".repeat(500)}` },
  "PATCH /users/me/voice-profiles/:id": { name: "x".repeat(50) },
  [`PUT ${base}/folders/:id`]: { name: "x".repeat(50) },
  [`PUT ${base}/tags/:id`]: { name: "x".repeat(50), colour: "red" },
  "PUT /users/me/insight-templates/:id": { name: "n", prompt: "x".repeat(500) },
  "PUT /audio/remove-transcription/:id": { title: "x".repeat(200) },
};

/** Routes that store more of a person's data than before. The test shows that all others don't. */
const keeping = [
  "POST /users/me/webhooks",
  "PATCH /users/me/webhooks/:id",
  "POST /users/me/webhooks/:id/test",
  `PUT ${base}/retention`,
  "PUT /users/me/vocabulary",
  "PATCH /users/me/voice-profiles/:id",
  `PUT ${base}/conversations/:conversationId/turns/:turnId`,
  `POST ${base}/sample`,
  `POST ${base}/folders`,
  `PUT ${base}/folders/:id`,
  `POST ${base}/tags`,
  `PUT ${base}/tags/:id`,
  "PUT /audio/remove-transcription/:id",
  `PUT ${base}/transcription/:id/notes/:note`,
  `POST ${base}/transcription/:id/links`,
  `PATCH ${base}/transcription/:id/links/:link`,
  `POST ${base}/transcription/:id/people`,
  "POST /users/me/insight-templates",
  "PUT /users/me/insight-templates/:id",
  "PUT /users/me/insight-templates/folders/:folder",
  `POST ${base}/save-final-transcription`,
  `POST ${base}/upload-and-transcribe`,
  "POST /api/v1/uploads",
  `POST ${base}/transcription/:id/captioned`,
  `POST ${base}/transcribe-url`,
  `POST ${vaults}`,
  `PATCH ${vaults}/:id`,
  `POST ${vaults}/:id/links`,
  `PUT ${vaults}/:id/text`,
];

function send({ token, apiUrl }: Person, method: string, { path = "/", body, headers = {} }: Call): Promise<Response> {
  const init = { method, headers: new Headers({ ...headers, Authorization: `Bearer ${token}` }) };
  if (body === undefined) return fetch(new URL(path, apiUrl), init);
  if (body instanceof FormData) return fetch(new URL(path, apiUrl), { ...init, body });
  if (body instanceof Uint8Array) return fetch(new URL(path, apiUrl), { ...init, body: new Uint8Array(body) });
  init.headers.set("Content-Type", "application/json");
  return fetch(new URL(path, apiUrl), { ...init, body: JSON.stringify(body) });
}

// PROMISE limits: What a person keeps is held to the quota wherever it is written
test("answers 402 and stores nothing on every route that would exceed the quota", async () => {
  const server = await startTestServer({ env });
  const harness = await peopled(server);
  const { db, count, use, write } = await openLedger(server);
  /** Waits until no work is left. @returns the counted bytes */
  const settled = async (person: Person) => {
    const making = db.selectFrom("videos").where("state", "in", ["waiting", "making"]);
    const work = async () => (await countRows(db.selectFrom("jobs"))) + (await countRows(making));
    await eventually(work, (count) => count === 0);
    return use(person);
  };
  const refused: string[] = [];
  const kept: string[] = [];
  const uncounted: string[] = [];
  for (const [name, { call, alone }] of Object.entries(permissions)) {
    const [method = "", route = ""] = name.split(" ");
    if (method === "GET" || method === "DELETE" || /^\/(admin|auth|blog)\b/.test(route)) continue;
    const own = alone ? await peopled(server) : harness;
    const made: Call = { path: route, body: bodies[name], ...(await call?.(own)) };
    if (longer[name] !== undefined) made.body = longer[name];
    const said = await settled(own.user);
    const before = await count(own.user);
    if (said !== before) uncounted.push(name);
    await write(own.user, before + 200 * mebibyte);
    const answer = await send(own.user, method, made);
    await answer.body?.cancel();
    await settled(own.user);
    const after = await count(own.user);
    if (answer.status === 402) refused.push(name);
    if (answer.status === 402 ? after !== before : after > before) kept.push(`${name} ${answer.status} ${after - before}`);
    await write(own.user, after);
    // Webhooks would report the following calls.
    await db.deleteFrom("webhooks").execute();
  }
  expect({ kept, uncounted, refused: refused.toSorted() }).toEqual({ kept: [], uncounted: [], refused: keeping.toSorted() });
  await write(harness.user, 0, 0);
  await server.sweep();
  // The daily count corrects the sum.
  expect(await use(harness.user)).toBe(await count(harness.user));
});

describe("a quota of one mebibyte", () => {
  const full = "402 quotaReached";
  const large = "x".repeat(1.5 * mebibyte);
  const final = (draft: object) => ({
    clientId: crypto.randomUUID(),
    title: "Untitled",
    text: "hello",
    segments: [],
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T10:00:00.000Z",
    ...draft,
  });
  const begin = async () => {
    const server = await startTestServer({ env: { STORAGE_QUOTA_FREE_MB: "1", STORAGE_QUOTA_PREMIUM_MB: "1" } });
    return { server, person: await signUp(server), ...(await openLedger(server)) };
  };
  const saves = async (person: Person, draft: object) => {
    const answer = await person.call("POST", `${base}/save-final-transcription`, final(draft));
    return answer.ok ? "200" : refusal(answer);
  };
  const corrects = async (person: Person, id: string, update: object) => {
    const answer = await person.call("PUT", `/audio/remove-transcription/${id}`, update);
    return answer.ok ? "200" : refusal(answer);
  };

  test("stores spoken words in a full account but no text that only claims to be spoken", async () => {
    const { server, person, use, write } = await begin();
    expect(await saves(person, { recordingId: crypto.randomUUID(), text: large })).toBe(full);
    expect(await use(person)).toBe(0);
    const [live, other] = [
      await Dictation.start(server.apiUrl, person.token),
      await Dictation.start(server.apiUrl, person.token),
    ];
    for (const one of [live, other]) {
      one.sendFrames(0, 2);
      await one.acked(2);
      one.say({ type: "end", frames: 2 });
      await one.next("done");
    }
    await write(person, mebibyte);
    expect(await saves(person, { recordingId: live.recordingId, text: "x".repeat(15_000) })).toBe("200");
    expect(await use(person)).toBeGreaterThan(mebibyte);
    expect(await saves(person, { recordingId: other.recordingId, text: large })).toBe(full);
    // The dictation can still be saved with its real words.
    expect(await saves(person, { recordingId: other.recordingId, text: "hello" })).toBe("200");
  });

  test("stores only words in a full account that the sound on the server can contain", async () => {
    const { server, person, use, write } = await begin();
    const long = { text: "hello", start: 0, end: 1e6, words: [] };
    const typed = { clientId: crypto.randomUUID(), segments: [long] };
    expect(await saves(person, typed)).toBe("200");
    const { save: say, put, record } = talk(server, person);
    const turn = (text: string, translation = "") => ({ ...here, segments: [{ ...long, end: 0, text, translation }] });
    const turns = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    for (const one of turns) await say(one, 0, turn("hello"));
    const spoken = await record(1, 1);
    await say(spoken, 1, turn("hello"));
    const unsaved = await record(1, 1);
    await say(crypto.randomUUID(), 2, turn("x".repeat(30_000)));
    const clientId = crypto.randomUUID();
    const file = await upload(person, buzzWav(22), { fields: { clientId } });
    const { text } = await settled(person, v.parse(Made, await file.json()).id);
    const live = await Dictation.start(server.apiUrl, person.token, undefined, { heardBy: "device" });
    const before = 2 * mebibyte;
    await write(person, before);
    expect(await saves(person, { ...typed, translatedText: large })).toBe(full);
    expect(await saves(person, { clientId, text, translatedText: "x".repeat(30_000) })).toBe(full);
    const translate = (one: string, translation: string) =>
      put(one, { ...turn("hello", translation), date: "2026-03-01T12:00:00.000Z" });
    for (const one of turns) expect(await refusal(await translate(one, "x".repeat(15_000)))).toBe(full);
    expect(await use(person)).toBe(before);
    // A spoken turn has its own room, however much was typed beside it.
    expect((await translate(spoken, "hola")).status).toBe(200);
    await write(person, before);
    const heard = { ...long, end: 1, text: "x".repeat(60_000) };
    live.say({ type: "heard", index: 0, segment: heard });
    expect(await live.closed).toBe(closeCodes.badMessage);
    const other = talk(server, person);
    // The mark of a deleted turn that never existed counts, too.
    expect(await refusal(await other.remove(crypto.randomUUID()))).toBe(full);
    expect(await use(person)).toBe(before);
    // Deleting a spoken turn that isn't saved yet frees room.
    expect(await refusal(await other.remove(unsaved))).toBe("404 notFound");
    expect(await use(person)).toBeLessThan(before);
  });

  test("accepts one of several writers in a nearly full account and shorter texts in a full one", async () => {
    const { person, count, use, write } = await begin();
    const { id } = await save(person, { text: "x".repeat(0.5 * mebibyte) });
    const answers = await Promise.all([1, 2, 3].map(() => saves(person, { text: "x".repeat(0.3 * mebibyte) })));
    expect(answers.toSorted()).toEqual(["200", full, full]);
    await write(person, 2 * mebibyte);
    expect(await corrects(person, id, { text: "x".repeat(0.5 * mebibyte + 1) })).toBe(full);
    expect(await corrects(person, id, { text: "shorter" })).toBe("200");
    expect(await corrects(person, id, { text: "shorter", title: "Untitled" })).toBe("200");
    await write(person, await count(person));
    for (const method of ["trash", "trash/erase"]) await person.call("POST", `${base}/${method}`, { ids: [id] });
    expect(await use(person)).toBe(await count(person));
  });

  test("counts corrections for the transcript's owner and notes for their writer", async () => {
    const { server, person: owner, use } = await begin();
    const corrector = await signUp(server);
    const { id } = await save(owner, { text: "short" });
    await shareWith(owner, corrector, id, "correct");
    const before = await use(owner);
    expect(await corrects(corrector, id, { text: large })).toBe("402 ownerQuotaReached");
    const note = { start: 0, end: 1, colour: "green", text: "x".repeat(1_000), revision: 0 };
    const path = `${base}/transcription/${id}/notes/${crypto.randomUUID()}`;
    expect((await corrector.call("PUT", path, note)).status).toBe(200);
    expect([await use(owner), await use(corrector)]).toEqual([before, 1_000 + rowBytes]);
    await owner.call("POST", `${base}/trash`, { ids: [id] });
    await owner.call("POST", `${base}/trash/erase`, { ids: [id] });
    await server.sweep();
    expect([await use(owner), await use(corrector)]).toEqual([0, 0]);
  });

  test("reserves room for a vault text while it arrives, even beside another text for the same recording", async () => {
    const { server, person, keys } = await withVault({ env: { STORAGE_QUOTA_PREMIUM_MB: "1" } });
    const { use } = await openLedger(server);
    const { id } = await putIn({ server, person, keys }, "a talk");
    const before = await use(person);
    const path = `${vaults}/${id}/text`;
    const text = ageFile(0.6 * mebibyte);
    const headers = { Authorization: `Bearer ${person.token}`, "Content-Length": text.length };
    const slow = request(`${server.apiUrl}${path}`, { method: "PUT", headers });
    const answered = once(slow, "response");
    slow.write(text.subarray(0, 1_000));
    await eventually(
      () => use(person),
      (bytes) => bytes > before,
    );
    const short = putBytes(server, person, path, ageFile(100));
    // Gives the short text time to arrive.
    for (let call = 0; call < 20; call++) expect(await use(person)).toBe(before + text.length);
    slow.end(text.subarray(1_000));
    await answered;
    expect((await short).status).toBe(200);
    const kept = await person.call("GET", path);
    expect(await use(person)).toBe(before + (await kept.arrayBuffer()).byteLength);
  });

  test("counts vault texts and small rows toward the quota", async () => {
    const { server, person, keys } = await withVault({ env: { STORAGE_QUOTA_PREMIUM_MB: "1" } });
    const { use } = await openLedger(server);
    const { id } = await putIn({ server, person, keys }, "a talk");
    const before = await use(person);
    const text = (bytes: number) => putBytes(server, person, `${vaults}/${id}/text`, ageFile(bytes));
    expect((await text(0.5 * mebibyte)).status).toBe(200);
    expect(await use(person)).toBe(before + 0.5 * mebibyte);
    expect(await refusal(await text(1.5 * mebibyte))).toBe(full);
    expect(await use(person)).toBe(before + 0.5 * mebibyte);
    expect((await text(100)).status).toBe(200);
    await person.call("PUT", `${base}/retention`, { folderId: null, audioDays: 30, textDays: null });
    expect(await use(person)).toBe(before + 100 + rowBytes);
  });
});

const ageFile = (bytes: number) => Buffer.concat([Buffer.from("age-encryption.org/v1\n"), Buffer.alloc(bytes - 22)]);
