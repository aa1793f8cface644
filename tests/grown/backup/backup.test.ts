import { copyFile, mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import { LoginAnswer, SearchAnswer } from "#contract/index.ts";
import { readBackup } from "#server/backup/read.ts";
import { restoreBackup, restorePoint, undoRestore } from "#server/backup/restore.ts";
import { openStores } from "#server/backup/stores.ts";
import { writeBackup } from "#server/backup/write.ts";
import { readConfig } from "#server/config/config.ts";
import { openDataFolder } from "#server/processes/data-folder.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { sharedS3 } from "#tests/grown/harness-s3.ts";
import {
  asPerson,
  base,
  eventually,
  getTranscription,
  type Person,
  post,
  read,
  settled,
  signUp,
  startTestServer,
  temporaryFolder,
  upload,
} from "#tests/server/harness.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { save } from "#tests/server/transcription/saved.ts";

// Backups of installations with a database in PostgreSQL or files in a bucket. Embedded ones:
// tests/server/backup/backup.test.ts.

const Created = v.object({ id: v.string() });
const now = Date.parse("2026-03-01T12:00:00Z");

/** An installation, a user with an audio file, and a function that makes a backup. */
async function setUp({ inBucket = false, bucketKeepsFiles = false } = {}) {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const s3 = inBucket ? await (await sharedS3()).newBucket() : {};
  const env = { DATABASE_URL: url, ...s3 };
  const dataDir = await temporaryFolder();
  const server = await startTestServer({ dataDir, env });
  const person = await signUp(server);
  const { id } = await read(await upload(person, spokenWav(4)), 202, Created);
  await settled(person, id);
  const backupDir = await temporaryFolder();
  const stores = await openStores(readConfig({ ...env, PARLANCE_DATA: dataDir }));
  onTestFinished(() => stores[Symbol.dispose]());
  const make = () => writeBackup({ ...stores, dataDir, backupDir, recipient: undefined, bucketKeepsFiles, now });
  return { env, dataDir, server, person, id, backupDir, stores, make };
}
type Harness = Awaited<ReturnType<typeof setUp>>;

const restored = (
  { dataDir, backupDir, stores }: Harness,
  path: string,
  more: { check?: () => Promise<void>; now?: number } = {},
) => restoreBackup({ ...stores, path, identity: undefined, dataDir, backupDir, now, ...more });

/** The same installation, started again. */
async function again({ dataDir, env }: Harness) {
  const server = await startTestServer({ dataDir, env });
  return { server, as: (person: Person) => asPerson(server, person.token, person.email) };
}

async function soundOf(person: Person, id: string): Promise<number> {
  return (await (await person.call("GET", `${base}/transcription/${id}/audio`)).arrayBuffer()).byteLength;
}

const statusOf = async (person: Person, id: string) => (await person.call("GET", `${base}/transcription/${id}`)).status;

async function keysIn(env: Record<string, string>): Promise<string[]> {
  const { client } = await sharedS3();
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: env.S3_BUCKET }));
  return Contents.map(({ Key = "" }) => Key);
}

describe.each([
  ["files in the data folder", false],
  ["files in a bucket", true],
])("backup of a PostgreSQL database with %s", (_, inBucket) => {
  test("a backup is complete while people work, and restores everything, including sessions", async () => {
    const harness = await setUp({ inBucket });
    const { server, person, id, dataDir } = harness;
    const stopping = new AbortController();
    const saving = (async () => {
      for (let count = 0; !stopping.signal.aborted; count += 1) await save(person, { title: `number ${count}`, text: "one two" });
    })();
    const { path, entries } = await harness.make();
    stopping.abort();
    await saving;
    expect((await readBackup(path)).entries).toBe(entries);
    const late = await save(person, { title: "after the backup", text: "one two" });
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    await person.call("POST", `${base}/trash/erase`, { ids: [id] });
    const another = await signUp(server);
    await expect(restored(harness, path)).rejects.toThrow("in use");
    await server.close();
    const { point, missing } = await restored(harness, path);
    expect(missing).toEqual([]);
    const next = await again(harness);
    const back = next.as(person);
    expect((await getTranscription(back, id)).status).toBe("completed");
    expect(await soundOf(back, id)).toBe(spokenWav(4).length);
    expect(await statusOf(back, late.id)).toBe(404);
    expect((await post(next.server, "/auth/login", { email: another.email, password: "correct horse" })).status).toBe(401);
    await read(await post(next.server, "/auth/login", { email: person.email, password: "correct horse" }), 200, LoginAnswer);
    expect(await readdir(join(point, ".postgres"))).toContain("parlance.db");
    expect(await readdir(dataDir)).not.toContain(".restore.json");
    if (inBucket) {
      const keys = await keysIn(harness.env);
      expect(keys).toContain(`audio/${id}/original`);
      expect(keys.some((key) => key.startsWith("restore-points/"))).toBe(true);
      expect(keys.filter((key) => key.startsWith("restore-new/"))).toEqual([]);
    }
    // The state before the restore comes back by the name of its restore point.
    await next.server.close();
    const { stores, backupDir } = harness;
    await restorePoint({ ...stores, dataDir, backupDir, now: now + 1_000, name: basename(point) });
    const last = await again(harness);
    expect([await statusOf(last.as(person), late.id), await statusOf(last.as(person), id)]).toEqual([200, 404]);
    await read(await post(last.server, "/auth/login", { email: another.email, password: "correct horse" }), 200, LoginAnswer);
    if (inBucket) {
      // A start continues the erasing.
      const keys = await eventually(
        () => keysIn(harness.env),
        (all) => !all.includes(`audio/${id}/original`),
      );
      expect(keys).toContain(`restore-points/${basename(point)}/complete`);
    }
  });

  test("leaves everything unchanged when a restore fails or is interrupted", async () => {
    const harness = await setUp({ inBucket });
    const { server, person, id, dataDir, backupDir, stores } = harness;
    const { path } = await harness.make();
    const late = await save(person, { title: "after the backup", text: "one two" });
    const { id: file } = await read(await upload(person, spokenWav(6)), 202, Created);
    await settled(person, file);
    await server.close();
    const check = () => Promise.reject(new Error("It does not start."));
    await expect(restored(harness, path, { check })).rejects.toThrow("the previous data was put back: It does not start.");
    const isAsItWas = async () => {
      const next = await again(harness);
      const back = next.as(person);
      expect([await statusOf(back, late.id), await soundOf(back, file), await soundOf(back, id)]).toEqual([
        200,
        spokenWav(6).length,
        spokenWav(4).length,
      ]);
      await next.server.close();
    };
    await isAsItWas();
    if (inBucket) expect((await keysIn(harness.env)).filter((key) => key.startsWith("restore"))).toEqual([]);
    // As if the process had died before it removed its journal.
    const journal = join(dataDir, ".restore.json");
    const copy = join(await temporaryFolder(), "journal");
    await restored(harness, path, { check: () => copyFile(journal, copy) });
    await copyFile(copy, journal);
    await expect(openDataFolder(dataDir, false)).rejects.toThrow("--undo");
    await expect(undoRestore(dataDir, backupDir)).rejects.toThrow("DATABASE_URL");
    expect(await undoRestore(dataDir, backupDir, stores)).toBe(true);
    expect(await undoRestore(dataDir, backupDir, stores)).toBe(false);
    await isAsItWas();
  });
});

test("lists the objects of a bucket that keeps versions itself, and names changed ones", async () => {
  const harness = await setUp({ inBucket: true, bucketKeepsFiles: true });
  const { path } = await harness.make();
  await harness.server.close();
  const [key = ""] = (await keysIn(harness.env)).filter((name) => name.startsWith("audio/"));
  expect((await restored(harness, path)).missing).toEqual([]);
  await harness.stores.bucket?.remove(key);
  expect((await restored(harness, path, { now: now + 1 })).missing).toEqual([`${spokenWav(4).length}\t${key}`]);
});

test("restores an embedded installation's backup into PostgreSQL, and the reverse", async () => {
  const embedded = await startTestServer();
  const person = await signUp(embedded);
  const { id } = await read(await upload(person, spokenWav(4)), 202, Created);
  await settled(person, id);
  await save(person, { title: "Minutes", text: "A word of rhubarb." });
  const found = async (one: Person) => read(await one.call("GET", `${base}/search?q=rhubarb`), 200, SearchAnswer);
  expect(await found(person)).toMatchObject({ total: 1 });
  const backupDir = await temporaryFolder();
  const options = { backupDir, recipient: undefined, identity: undefined };
  const first = await writeBackup({ ...options, dataDir: embedded.dataDir, now });
  const { url, drop } = await createTestDatabase(true);
  onTestFinished(drop);
  const dataDir = await temporaryFolder();
  await mkdir(dataDir, { recursive: true });
  await restoreBackup({ ...options, path: first.path, dataDir, now, databaseUrl: url });
  const inPostgres = await startTestServer({ dataDir, env: { DATABASE_URL: url } });
  const signIn = async (server: typeof embedded) => {
    const answer = await post(server, "/auth/login", { email: person.email, password: "correct horse" });
    return asPerson(server, (await read(answer, 200, LoginAnswer)).accessToken);
  };
  expect(await soundOf(await signIn(inPostgres), id)).toBe(spokenWav(4).length);
  expect(await found(await signIn(inPostgres))).toMatchObject({ total: 1, behind: 0 });
  const second = await writeBackup({ ...options, dataDir, now: now + 1000, databaseUrl: url });
  await inPostgres.close();
  const third = await temporaryFolder();
  await restoreBackup({ ...options, path: second.path, dataDir: third, now });
  const back = await startTestServer({ dataDir: third });
  expect(await soundOf(await signIn(back), id)).toBe(spokenWav(4).length);
  expect(await found(await signIn(back))).toMatchObject({ total: 1, behind: 0 });
});

test("refuses another release's database", async () => {
  const harness = await setUp();
  await harness.server.close();
  await administer(harness.env.DATABASE_URL, "delete from kysely_migration where name like '0036%'");
  await expect(harness.make()).rejects.toThrow("belongs to another release");
});
