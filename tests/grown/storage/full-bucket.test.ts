import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { Transcription, VaultItem } from "#contract/index.ts";
import { restoreBackup } from "#server/backup/restore.ts";
import { openStores } from "#server/backup/stores.ts";
import { writeBackup } from "#server/backup/write.ts";
import { readConfig } from "#server/config/config.ts";
import { Problem } from "#server/errors/problem.ts";
import { openBucket } from "#server/storage/bucket.ts";
import { encryptFor } from "#src/features/vault/encryption.ts";
import { createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { sharedS3, startS3 } from "#tests/grown/harness-s3.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import {
  asPerson,
  base,
  eventually,
  getTranscription,
  type Person,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  temporaryFolder,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav, spokenWav } from "#tests/server/jobs/scripted.ts";
import { append, begin, idOf, offsetOf } from "#tests/server/uploads/tus.ts";
import { begin as beginItem, putBytes, vaults, withVault } from "#tests/server/vault/vaults.ts";
import { bucketBehind, type Refusal } from "./s3-between.ts";

// The S3 server answers that it is full. (A full disk: grown/faults/full-disk.test.ts.)

/** MinIO's answer. */
const diskFull: Refusal = { status: 507, code: "XMinioStorageFull" };
const full = "507 storageFull";

/** A new bucket that can be filled: then it refuses writes, but objects can be read, deleted and listed. */
async function fillable(answer = diskFull) {
  const state = { isFull: false };
  const env = await bucketBehind(({ method, url = "" }) => {
    // The end of a multipart upload writes nothing, and its start hardly anything.
    const writes = method === "PUT" || (method === "POST" && !url.includes("delete"));
    return state.isFull && writes ? answer : true;
  });
  return { env, state };
}

async function keysIn(env: { S3_BUCKET: string }): Promise<string[]> {
  const { Contents = [] } = await (await sharedS3()).client.send(new ListObjectsV2Command({ Bucket: env.S3_BUCKET }));
  return Contents.map(({ Key = "" }) => Key).toSorted();
}

async function soundOf(person: Person, id: string): Promise<Buffer> {
  return Buffer.from(await (await person.call("GET", `${base}/transcription/${id}/audio`)).arrayBuffer());
}

// PROMISE processes: A bucket keeps the files; `npm run files -- move` moves them
test.each([
  ["MinIO, whose disks are full", diskFull],
  ["MinIO, for a bucket with a quota", { status: 400, code: "XMinioAdminBucketQuotaExceeded" }],
  ["Ceph, for a person with a quota", { status: 403, code: "QuotaExceeded" }],
  ["a server that names it otherwise", { status: 507, code: "InsufficientStorage" }],
])("a full bucket is not confused with a missing answer: %s", async (_, answer) => {
  const { env, state } = await fillable(answer);
  const bucket = await openBucket(readConfig(env).bucket ?? expect.fail("no bucket"));
  onTestFinished(() => bucket.close());
  await bucket.put("audio/one/original", Buffer.from("one"));
  state.isFull = true;
  const failure = await bucket.put("audio/two/original", Buffer.from("two")).catch((error: unknown) => error);
  expect([failure instanceof Problem && failure.code, await keysIn(env)]).toEqual(["storageFull", ["audio/one/original"]]);
});

test("refuses a file completely, and pauses a resumable upload until there is room", async () => {
  const { env, state } = await fillable();
  const server = await startTestServer({ env });
  const person = await signUp(server);
  const first = await read(await upload(person, spokenWav(2)), 202, Transcription);
  await settled(person, first.id);
  const wav = buzzWav(200);
  const path = await begin(person, { size: wav.length });
  expect((await append(server, person, path, { offset: 0, body: wav.subarray(0, 6_000_000) })).status).toBe(204);
  const before = await keysIn(env);
  state.isFull = true;
  expect(await refusal(await upload(person, buzzWav(10)))).toBe(full);
  expect(await refusal(await append(server, person, path, { offset: 6_000_000, body: wav.subarray(6_000_000) }))).toBe(full);
  expect(await keysIn(env)).toEqual(before);
  expect((await soundOf(person, first.id)).equals(spokenWav(2))).toBe(true);
  state.isFull = false;
  const offset = await offsetOf(person, path);
  expect(offset).toBe(6_000_000);
  expect((await append(server, person, path, { offset, body: wav.subarray(offset) })).status).toBe(204);
  expect(await settled(person, idOf(path))).toMatchObject({ status: "completed" });
  expect((await soundOf(person, idOf(path))).equals(wav)).toBe(true);
});

test("tells the speaker, and keeps every confirmed word", async () => {
  const { env, state } = await fillable();
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  // With PostgreSQL, frames are in the bucket before they are confirmed.
  const server = await startTestServer({ env: { ...env, DATABASE_URL: url } });
  const person = await signUp(server);
  const live = await Dictation.start(server.apiUrl, person.token);
  live.sendFrames(0, 20);
  await live.acked(20);
  state.isFull = true;
  live.sendFrames(20, 100);
  expect(await live.next("error")).toMatchObject({ code: "storageFull", message: "The server's disk is full." });
  expect(await live.closed).toBe(1011);
  state.isFull = false;
  const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
  const [ready] = again.messages;
  const from = ready?.type === "ready" ? ready.ack : 0;
  expect(from).toBeGreaterThanOrEqual(20);
  again.sendFrames(from, 100);
  again.say({ type: "end", frames: 100 });
  const { segments } = await again.next("done");
  expect(textOf(segments)).toBe(allWords(20));

  state.isFull = true;
  const saved = {
    clientId: crypto.randomUUID(),
    recordingId: live.recordingId,
    title: "A talk",
    text: textOf(segments),
    segments,
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T12:00:00Z",
  };
  const save = () => person.call("POST", `${base}/save-final-transcription`, saved);
  expect(await refusal(await save())).toBe(full);
  state.isFull = false;
  const { id } = await read(await save(), 200, Transcription);
  const { text, hasAudio } = await getTranscription(person, id);
  expect([text, hasAudio]).toEqual([allWords(20), true]);
  expect((await soundOf(person, id)).length).toBeGreaterThan(0);
});

// PROMISE processes: A dictation goes on at another process
test("makes a word final once its sound is safe, and recognizes repeated sound only once", async () => {
  const { env, state } = await fillable();
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  // Time alone confirms nothing.
  const server = await startTestServer({ env: { ...env, DATABASE_URL: url }, liveTimes: { syncMs: 600_000 } });
  const person = await signUp(server);
  const live = await Dictation.start(server.apiUrl, person.token);
  live.sendFrames(0, 20);
  await live.next("final");
  state.isFull = true;
  live.sendFrames(20, 40);
  await Promise.race([live.next("error", ({ code }) => code === "storageFull"), live.next("final")]);
  await live.cut();
  const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
  state.isFull = false;
  const [ready] = again.messages;
  again.sendFrames(ready?.type === "ready" ? ready.ack : 0, 40);
  again.say({ type: "end", frames: 40 });
  expect(textOf((await again.next("done")).segments)).toBe(allWords(8));
});

test("keeps the received part and the earlier text of a vault item", async () => {
  const { env, state } = await fillable();
  const { server, person, keys } = await withVault({ env });
  const cipher = await encryptFor(keys.vault.recipient, "secret ".repeat(60_000));
  const { id } = await beginItem(person, keys, cipher.length);
  const put = (offset: number, end = cipher.length) =>
    putBytes(server, person, `${vaults}/${id}/content?offset=${offset}`, cipher.subarray(offset, end));
  const putText = async (text: string) =>
    putBytes(server, person, `${vaults}/${id}/text`, await encryptFor(keys.vault.recipient, text));
  const bytesOf = async (what: string) => Buffer.from(await (await person.call("GET", `${vaults}/${id}/${what}`)).arrayBuffer());
  await read(await put(0, 100_000), 200, VaultItem);
  state.isFull = true;
  expect(await refusal(await put(100_000))).toBe(full);
  state.isFull = false;
  const { received } = await read(await person.call("GET", `${vaults}/${id}`), 200, VaultItem);
  expect(received).toBe(100_000);
  await read(await put(received), 200, VaultItem);
  expect((await bytesOf("content")).equals(cipher)).toBe(true);

  await read(await putText("the first words"), 200, VaultItem);
  const words = await bytesOf("text");
  state.isFull = true;
  expect(await refusal(await putText("more words"))).toBe(full);
  expect(await bytesOf("text")).toEqual(words);
});

test("still makes a backup, and leaves everything unchanged when a restore finds no room", async () => {
  const { env, state } = await fillable();
  const server = await startTestServer({ env });
  const person = await signUp(server);
  const { id } = await read(await upload(person, spokenWav(4)), 202, Transcription);
  await settled(person, id);
  const { dataDir } = server;
  const stores = await openStores(readConfig({ ...env, PARLANCE_DATA: dataDir }));
  onTestFinished(() => stores[Symbol.dispose]());
  const backupDir = await temporaryFolder();
  const now = Date.parse("2026-03-01T12:00:00Z");
  state.isFull = true;
  const { path } = await writeBackup({ ...stores, dataDir, backupDir, recipient: undefined, now });
  await server.close();
  const before = await keysIn(env);
  const restore = () => restoreBackup({ ...stores, path, identity: undefined, dataDir, backupDir, now });
  await expect(restore()).rejects.toThrow("disk is full");
  expect(await keysIn(env)).toEqual(before);
  // The bucket has room for the restored data, but not for a copy of the previous data.
  state.isFull = false;
  const { bucket } = stores;
  if (bucket === undefined) expect.fail("no bucket");
  const copy: typeof bucket.copy = async (from, to) => {
    state.isFull = to.startsWith("restore-points/");
    return bucket.copy(from, to);
  };
  const failing = restoreBackup({ ...stores, bucket: { ...bucket, copy }, path, identity: undefined, dataDir, backupDir, now });
  await expect(failing).rejects.toThrow("Nothing was restored, and nothing was changed");
  expect(await keysIn(env)).toEqual(before);
  state.isFull = false;
  const next = await startTestServer({ env, dataDir });
  expect((await soundOf(asPerson(next, person.token, person.email), id)).equals(spokenWav(4))).toBe(true);
});

test("waits three seconds for a silent bucket in /readyz, and recovers with it", async () => {
  const s3 = await startS3();
  onTestFinished(s3.close);
  const server = await startTestServer({ env: await s3.newBucket() });
  const ready = async () => {
    const answer = await fetch(`${server.apiUrl}/readyz`);
    return [answer.status, (await answer.json()).reasons];
  };
  expect(await ready()).toEqual([200, []]);
  s3.pause();
  onTestFinished(() => s3.resume());
  // The result of its check is valid for a moment.
  const began = performance.now();
  const answer = await eventually(ready, ([status]) => status === 503);
  expect(answer).toEqual([503, ["The bucket does not answer."]]);
  expect(performance.now() - began).toBeLessThan(15_000);
  expect((await fetch(`${server.apiUrl}/healthz`)).status).toBe(200);
  s3.resume();
  await eventually(ready, ([status]) => status === 200);
});
