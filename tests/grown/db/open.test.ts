import { rm } from "node:fs/promises";
import { type Kysely, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { type Db, openDb } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { createTestDatabase } from "#tests/grown/harness-postgres.ts";

// Needs PostgreSQL: compares both kinds of database.

async function opened(empty = false): Promise<{ db: Db; url: string }> {
  const { url, drop } = await createTestDatabase(empty);
  onTestFinished(drop);
  const db = await openDb("", url);
  onTestFinished(() => db.destroy());
  return { db, url };
}

async function embedded(): Promise<Db> {
  const folder = await makeTemporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const db = await openDb(folder);
  onTestFinished(() => db.destroy());
  return db;
}

/** Adds a row with this number in `count`. */
async function withAttempts(db: Db, count: number): Promise<void> {
  await db.insertInto("attempts").values({ key: "a", count, resets_at: 0 }).execute();
}

const attempts = async (db: Kysely<Schema>) =>
  (await db.selectFrom("attempts").select("count").where("key", "=", "a").executeTakeFirstOrThrow()).count;

/** Blocks the callers until this many have arrived. */
function meetingOf(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come >= count) resolve();
    return promise;
  };
}

test("lets one of three processes migrate an empty PostgreSQL", async () => {
  const { url, drop } = await createTestDatabase(true);
  onTestFinished(drop);
  const dbs = await Promise.all([1, 2, 3].map(() => openDb("", url)));
  for (const db of dbs) {
    expect(await db.selectFrom("users").selectAll().execute()).toEqual([]);
    await db.destroy();
  }
});

// PROMISE processes: PostgreSQL replaces the embedded database; `npm run db -- move` compares rows
test("has the same tables, columns, indices and references in both databases, except for the search index", async () => {
  const [there, here] = [(await opened()).db, await embedded()];
  const columns = await sql`
    select table_name as "table", column_name as "column", case is_nullable when 'YES' then 0 else 1 end as needed
    from information_schema.columns where table_schema = 'public' and column_name <> 'found_by'
    order by table_name collate "C", column_name collate "C"`.execute(there);
  // SQLite's keys are nullable only according to the pragma.
  const ownColumns = await sql`
    select m.name as "table", c.name as "column", case when c."notnull" = 1 or c.pk > 0 then 1 else 0 end as needed
    from sqlite_master as m, pragma_table_info(m.name) as c
    where m.type = 'table' and m.name not like 'sqlite_%' and m.name not like 'search_index%' and m.name <> 'search_erased'
    order by m.name, c.name`.execute(here);
  expect(columns.rows).toEqual(ownColumns.rows);
  const indices = await sql<{ name: string }>`
    select indexname as name from pg_indexes where schemaname = 'public'
      and indexname not in (select conname from pg_constraint) and indexname <> 'passages_found_by' order by name`.execute(there);
  const ownIndices = await sql<{ name: string }>`
    select name from sqlite_master where type = 'index' and name not like 'sqlite_%' order by name`.execute(here);
  expect(indices.rows).toEqual(ownIndices.rows);
  const references = await sql<{ count: number }>`
    select count(*) as count from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(there);
  const ownReferences = await sql<{ count: number }>`
    select count(*) as count from sqlite_master, pragma_foreign_key_list(sqlite_master.name) where type = 'table'`.execute(here);
  expect(references.rows).toEqual(ownReferences.rows);
});

test("loses nothing in transactions that read and then write, however many collide", async () => {
  const { db } = await opened();
  await withAttempts(db, 0);
  const meet = meetingOf(8);
  const add = () =>
    db.transaction().execute(async (t) => {
      const count = await attempts(t);
      await meet();
      await t
        .updateTable("attempts")
        .set({ count: count + 1 })
        .where("key", "=", "a")
        .execute();
    });
  await Promise.all(Array.from({ length: 8 }, add));
  expect(await attempts(db)).toBe(8);
});

test("transactions that change data read by each other run in sequence", async () => {
  const { db } = await opened();
  await db
    .insertInto("attempts")
    .values(["a", "b"].map((key) => ({ key, count: 1, resets_at: 0 })))
    .execute();
  const meet = meetingOf(2);
  // Each sets its row to 0 only if the other row is still 1, so at most one may do so.
  const leave = (key: string) =>
    db.transaction().execute(async (t) => {
      const { total } = await t
        .selectFrom("attempts")
        .select(({ fn }) => fn.sum<number>("count").as("total"))
        .executeTakeFirstOrThrow();
      await meet();
      if (total === 2) await t.updateTable("attempts").set({ count: 0 }).where("key", "=", key).execute();
    });
  await Promise.all([leave("a"), leave("b")]);
  const left = await db.selectFrom("attempts").select("key").where("count", "=", 1).execute();
  expect(left).toHaveLength(1);
});

test("serializes a single statement that writes what it reads", async () => {
  const { db } = await opened();
  const insert = (key: string) =>
    sql`
    insert into attempts (key, count, resets_at)
    select ${key}, 1, 0 from (select count(*) as n from attempts) as all_attempts where n < 1`.execute(db);
  await Promise.all(Array.from({ length: 12 }, (_, index) => insert(`k${index}`)));
  expect(await db.selectFrom("attempts").selectAll().execute()).toHaveLength(1);
});

test("ends a stalled transaction within 15 s without writing anything", async () => {
  const { db, url } = await opened();
  await withAttempts(db, 1);
  const other = await openDb("", url);
  onTestFinished(() => other.destroy());
  const holds = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const stopped = db
    .transaction()
    .execute(async (t) => {
      await t.updateTable("attempts").set({ count: 2 }).execute();
      holds.resolve();
      await goesOn.promise;
      await t.updateTable("attempts").set({ count: 3 }).execute();
    })
    .then(
      () => "written",
      () => "refused",
    );
  await holds.promise;
  const from = performance.now();
  await other
    .updateTable("attempts")
    .set(({ eb }) => ({ count: eb("count", "+", 10) }))
    .execute();
  expect(performance.now() - from).toBeLessThan(15_000);
  goesOn.resolve();
  expect(await stopped).toBe("refused");
  expect(await attempts(db)).toBe(11);
});

test("throws an error of the work unchanged and writes nothing", async () => {
  const { db } = await opened();
  await withAttempts(db, 1);
  let runs = 0;
  const work = db.transaction().execute(async (t) => {
    runs += 1;
    await t.updateTable("attempts").set({ count: 5 }).execute();
    throw new Error("its own");
  });
  await expect(work).rejects.toThrow("its own");
  expect([runs, await attempts(db)]).toEqual([1, 1]);
  // A duplicate key is tried twice, because it might come from a serialization conflict.
  await expect(db.transaction().execute((t) => withAttempts(t, 2))).rejects.toMatchObject({ code: "23505" });
});

test("stores numbers as numbers, orders texts by bytes, and accepts every character", async () => {
  const texts = ["b", "a", "B", "é", "Z", "_", "a\u0000b", "\uD800", "𐍈", "ﬀ"];
  const [there, here] = [(await opened()).db, await embedded()];
  const stored = async (db: Db) => {
    for (const key of texts)
      await db
        .insertInto("attempts")
        .values({ key, count: 2 ** 49, resets_at: 2 })
        .execute();
    const rows = await db.selectFrom("attempts").selectAll().orderBy("key").execute();
    const sums = await db
      .selectFrom("attempts")
      .select(({ fn }) => [fn.sum<number>("count").as("sum"), fn.max("resets_at").as("max"), fn.countAll<number>().as("all")])
      .execute();
    return { rows, sums };
  };
  const found = await stored(there);
  expect(found).toEqual(await stored(here));
  expect(found.rows.map(({ key }) => key)).toContain("ab");
  expect(found.sums).toEqual([{ sum: texts.length * 2 ** 49, max: 2, all: texts.length }]);
});

test("names an unreachable address without its password", async () => {
  const opening = openDb("", "postgres://parlance:secret-word@127.0.0.1:1/parlance");
  await expect(opening).rejects.toThrow("The database 127.0.0.1:1/parlance could not be opened and migrated.");
});
