import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { connectDb, type Db, isUpToDate, openDb } from "#server/db/open.ts";
import { openTableQueue } from "#server/jobs/table-queue.ts";
import { longTitle } from "#tests/fixtures/databases/acts.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { startTestServer } from "#tests/server/harness.ts";
import { expectSums } from "./expect-sums.ts";
import { readThrough } from "./reading-through.ts";
import { folderOf, postgresReleases, type Release, type Row, releases, rowsIn, schemaOf, urlOf } from "./releases.ts";

// Opens the databases of all earlier releases, in both kinds of database.

const hour = 60 * 60_000;

/** Columns that migrations rewrite or drop; they are checked separately. */
const rewritten: Record<string, readonly string[]> = {
  // 0030: pictures without the host. 0075: search without accents.
  blog_posts: ["content", "cover", "haystack"],
  // 0032: shorter. 0075: search without accents. 0076: the server's id.
  transcriptions: ["title_key", "haystack", "weight", "recording_id"],
  // 0073: attempts and interruptions.
  jobs: ["failures", "suspect", "crashes", "kills", "turn", "sent", "shared", "heard_as", "worker_id", "lease_until"],
  pieces: ["worker_id", "lease_until", "reserved"],
  // 0077: one row for each audio, and no other rows.
  audio_sizes: ["transcription_id", "bytes"],
};

type Rows = Map<string, Row[]>;

async function rowsAt(dataDir: string, url?: string): Promise<Rows> {
  await using db = connectDb(dataDir, url);
  return await rowsIn(db);
}

/** Migrates the database. */
async function migrated(dataDir: string, url?: string): Promise<{ rows: Rows; schema: Awaited<ReturnType<typeof schemaOf>> }> {
  await using db = await openDb(dataDir, url);
  const [rows, schema] = [await rowsIn(db), await schemaOf(db)];
  await expectSums(db);
  await db.updateTable("users").set({ is_superuser: 1 }).where("email", "=", "ada@example.org").execute();
  return { rows, schema };
}

/** The schema of a database that this release creates. */
async function ownSchema(open: () => Promise<Db>) {
  await using db = await open();
  return await schemaOf(db);
}

function expectAll(before: Rows, after: Rows): void {
  for (const [table, rows] of before) {
    const columns = Object.keys(rows[0] ?? {}).filter((column) => rewritten[table]?.includes(column) !== true);
    const kept = (those: readonly Row[]) => those.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted();
    expect(kept(after.get(table) ?? []), table).toEqual(kept(rows));
  }
  expect(after.get("jobs")).toMatchObject([{ attempts: 1, interruptions: 0, lease_id: null }]);
  const posts = after.get("blog_posts") ?? [];
  for (const { content, cover } of posts) expect(`${content} ${cover}`).not.toContain("old.example.org");
  const long = after.get("transcriptions")?.find(({ title }) => title === longTitle);
  expect(String(long?.title_key).length).toBeLessThanOrEqual(800);
  const accented = after.get("transcriptions")?.find(({ title }) => title === "Über alles");
  expect(accented?.haystack).toBe("uber alles\ngood evening everybody\n");
  // Each mail's owner is found by the address that it goes to, or by the address that was to be confirmed.
  const owners = new Set(after.get("mails")?.map(({ user_id }) => user_id));
  if (before.has("mails")) expect(owners).not.toContain(null);
}

const emptyIn = (rows: Rows) => [...rows].flatMap(([table, those]) => (those.length === 0 ? [table] : []));

test.each(releases)("migrates a database of $name with every row", async (release) => {
  const dataDir = await folderOf(release);
  const before = await rowsAt(dataDir);
  expect(emptyIn(before)).toEqual([]);
  const { rows, schema } = await migrated(dataDir);
  expectAll(before, rows);
  const empty = await makeTemporaryFolder();
  onTestFinished(() => rm(empty, { recursive: true, force: true }));
  expect(schema).toEqual(await ownSchema(() => openDb(empty)));
  const server = await startTestServer({ dataDir, now: () => release.at + hour });
  await readThrough(server, release, before);
});

test.each(postgresReleases)("migrates the same rows of $name in PostgreSQL", async (release) => {
  const url = await urlOf(release);
  const before = await rowsAt("", url);
  // The keys are in a file until a server has imported them.
  expect(emptyIn(before)).toEqual(["signing_keys"]);
  const { rows, schema } = await migrated("", url);
  expectAll(before, rows);
  const empty = await createTestDatabase(true);
  onTestFinished(empty.drop);
  expect(schema).toEqual(await ownSchema(() => openDb("", empty.url)));
  const server = await startTestServer({ env: { DATABASE_URL: url }, now: () => release.at + hour });
  await readThrough(server, release, before);
});

const at = (index: number): Release => {
  const release = releases.at(index);
  if (release === undefined) throw new Error("There is no database of an earlier release.");
  return release;
};

test("queues a job that an earlier release set aside after a crash", async () => {
  const dataDir = await folderOf(at(-1));
  {
    using db = new DatabaseSync(join(dataDir, "parlance.db"));
    db.exec(
      "update jobs set suspect = 2, crashes = 2, kills = 30, shared = 2, worker_id = 'dead', lease_until = 9e15, run_after = 0",
    );
    db.exec("update pieces set reserved = 2, worker_id = 'dead', lease_until = 9e15");
  }
  await using db = await openDb(dataDir);
  const queue = await openTableQueue(db, 0);
  const delivery = await queue.claim({ withoutFetches: false, onlyNewcomers: false, now: 1, leaseUntil: 2 });
  expect(delivery?.job).toMatchObject({ attempts: 1, interruptions: 0 });
});

test("continues a dictation that an earlier release counted under the page's id", async () => {
  const dataDir = await folderOf(at(-1));
  {
    using db = new DatabaseSync(join(dataDir, "parlance.db"));
    const own = "from transcriptions where user_id = (select user_id from recordings)";
    db.exec(`update transcriptions set recording_id = (select recording_id from recordings) where id = (select min(id) ${own});
      update transcriptions set recording_id = 'gone' where id = (select max(id) ${own});
      update usage set source = 'recording:' || (select recording_id from recordings)`);
  }
  await using db = await openDb(dataDir);
  const { id } = await db.selectFrom("recordings").select("id").executeTakeFirstOrThrow();
  expect(await db.selectFrom("usage").select("source").execute()).toEqual([{ source: `recording:${id}` }]);
  const dictated = db.selectFrom("transcriptions").select("recording_id").where("recording_id", "is not", null);
  expect(await dictated.orderBy("id").execute()).toEqual([{ recording_id: id }, { recording_id: "gone" }]);
});

test("leaves the database unchanged when the server is killed during a migration, which the next start repeats", async () => {
  const dataDir = await folderOf(at(0));
  const before = await rowsAt(dataDir);
  for (const statements of [1, 3, 20, 60, 120]) {
    const script = join(import.meta.dirname, "dying-child.ts");
    const args = ["--disable-warning=ExperimentalWarning", script, dataDir, String(statements)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");
    expect(await rowsAt(dataDir)).toEqual(before);
  }
  const { rows } = await migrated(dataDir);
  expectAll(before, rows);
});

test("lets one of three processes migrate an old database", async () => {
  const dataDir = await folderOf(at(0));
  const dbs = await Promise.all([1, 2, 3].map(() => openDb(dataDir)));
  for (const db of dbs) {
    expect(await isUpToDate(db)).toBe(true);
    await db.destroy();
  }
});
