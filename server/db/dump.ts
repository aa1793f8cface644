import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Client } from "pg";
import * as v from "valibot";
import { compareAll, copyToFile, copyToPostgres } from "./copy-rows.ts";
import { openDb } from "./open.ts";
import { connectAlone, connectTo, inOneTransaction, lock, MoveError, one, openAlone, refuseForeign } from "./postgres-alone.ts";
import { derivedTables, listTables, quoted } from "./tables.ts";

// Copies a PostgreSQL database into an SQLite file with the same tables and rows, and back: a backup's form of it.

export interface DumpOptions {
  /** postgres://… */
  url: string;
  /** An empty folder, where `parlance.db` is written. */
  folder: string;
  /** Called now and then with the number of copied rows. */
  onRows?: (rows: number) => void;
}

/**
 * Copies all rows as of one moment, including the keys that sign tokens, and compares each with its copy. The servers
 * keep running and wait for nothing: PostgreSQL keeps the old rows in that time. pg-boss's tables are left out, because
 * its messages follow from the jobs.
 * @throws MoveError if the database belongs to another release
 */
export async function dumpPostgres({ url, folder, onRows = () => {} }: DumpOptions): Promise<void> {
  await (await openDb(folder)).destroy();
  using target = openFile(folder);
  await using source = await connectTo(url);
  const tables = listTables(target.db, true);
  const options = { begin: "begin isolation level repeatable read read only", failure: "The database could not be copied" };
  await inOneTransaction(source.client, options, async () => {
    await refuseOtherRelease(source.client, target.db);
    target.db.exec("begin");
    for (const { name } of tables) target.db.exec(`delete from ${quoted(name)}`);
    for (const table of tables) await copyToFile(source.client, target.db, table, onRows);
    target.db.exec("commit");
    await compareAll(target.db, source.client, tables);
  });
}

export interface ReplaceOptions {
  /** postgres://… */
  url: string;
  /** The folder of `parlance.db`, of any release up to this one; it is migrated. */
  folder: string;
  /** Whether the file has the keys that sign tokens; otherwise the current ones stay. */
  hasKeys: boolean;
  /** Stored in the database: `findMark` returns the mark of the last restore. */
  mark: string;
}

/**
 * Exchanges all rows in PostgreSQL for those of a file, and compares each before it counts: all in one transaction.
 * @throws MoveError when anybody is connected, or a row is not the same there; then nothing has changed
 */
export async function replaceInPostgres({ url, folder, hasKeys, mark }: ReplaceOptions): Promise<void> {
  await prepared(url);
  await (await openDb(folder)).destroy();
  using source = openAlone(folder);
  await using target = await connectAlone(url);
  const tables = listTables(source.db, hasKeys);
  await inOneTransaction(target.client, { failure: "The database was not restored" }, async () => {
    await lock(target.client, tables, "access exclusive");
    const names = [...tables.map(({ name }) => name), ...derivedTables];
    await target.client.query(`truncate ${names.map(quoted).join(", ")}`);
    for (const table of tables) await copyToPostgres(source.db, target.client, table);
    await compareAll(source.db, target.client, tables);
    await target.client.query(`comment on table kysely_migration is ${target.client.escapeLiteral(mark)}`);
  });
}

/** The mark of the last `replaceInPostgres`; "" if nothing was restored. */
export async function findMark(url: string): Promise<string> {
  await using target = await connectTo(url);
  const { mark } = await one(target.client, "select obj_description(to_regclass('kysely_migration')) as mark");
  return typeof mark === "string" ? mark : "";
}

/** @throws MoveError while anybody is connected to it, or when it is another program's */
export async function refuseWhilePostgresIsUsed(url: string): Promise<void> {
  await using target = await connectAlone(url);
  await refuseForeign(target.client);
}

/** Creates the tables of this release. */
async function prepared(url: string): Promise<void> {
  await refuseWhilePostgresIsUsed(url);
  await (await openDb("", url)).destroy();
}

/** Without the checks of references: the tables come one after another. */
function openFile(folder: string): { db: DatabaseSync } & Disposable {
  const db = new DatabaseSync(join(folder, "parlance.db"), { enableForeignKeyConstraints: false });
  return { db, [Symbol.dispose]: () => db.close() };
}

const Names = v.array(v.object({ name: v.string() }));

async function refuseOtherRelease(client: Client, file: DatabaseSync): Promise<void> {
  const statement = "select name from kysely_migration order by name";
  const namesOf = (rows: unknown) =>
    v
      .parse(Names, rows)
      .map(({ name }) => name)
      .toSorted()
      .join();
  const { rows } = await client.query(statement).catch(() => ({ rows: [] }));
  if (namesOf(rows) === namesOf(file.prepare(statement).all())) return;
  throw new MoveError(
    "The database in PostgreSQL belongs to another release. Back it up with that release, or start this one first.",
  );
}
