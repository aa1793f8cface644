import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import * as v from "valibot";
import { errorCodeOf } from "#server/common/problem.ts";
import { openDb } from "./open.ts";
import { numbersOf } from "./postgres.ts";
import { type Cell, listTables, quoted, type Table } from "./tables.ts";
import { storable } from "./values.ts";

/** Why nothing was moved, for whoever asked for it. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}

/** Rows and characters that are read and written at a time. */
const portionRows = 500;
const portionWeight = 4_000_000;
/** The name of the lock in PostgreSQL that keeps two moves apart. */
const lockName = "parlance: db move";

export interface MoveOptions {
  dataDir: string;
  /** postgres://… */
  url: string;
  /** Receives each table when it is done. */
  onTable?: (name: string, rows: number) => void;
}

/**
 * Copies an embedded database into an empty one in PostgreSQL, and compares every row of both before it counts: all in one transaction.
 * Nobody can use either meanwhile. The file stays as it is.
 * @returns how many rows there are
 * @throws MoveError when one is in use, the target is not empty or a row is not the same there; then nothing is moved
 */
export async function moveToPostgres({ dataDir, url, onTable }: MoveOptions): Promise<number> {
  await broughtUpToDate(dataDir, url);
  using source = openAlone(dataDir);
  await using target = await openTarget(url);
  const tables = listTables(source.db);
  return await inOneTransaction(target.client, async () => {
    await lock(target.client, tables, "access exclusive");
    await refuseUnlessEmpty(target.client, tables);
    for (const table of tables) await copy(source.db, target.client, table);
    return compareAll(source.db, target.client, tables, onTable);
  });
}

/**
 * Compares every row of an embedded database with those in PostgreSQL, while nobody can change either.
 * @returns how many rows there are
 * @throws MoveError when one is in use, or names the first row that differs
 */
export async function compareWithPostgres({ dataDir, url, onTable }: MoveOptions): Promise<number> {
  await broughtUpToDate(dataDir, url);
  using source = openAlone(dataDir);
  await using target = await openTarget(url);
  const tables = listTables(source.db);
  return await inOneTransaction(target.client, async () => {
    await lock(target.client, tables, "exclusive");
    return compareAll(source.db, target.client, tables, onTable);
  });
}

/** Both have the tables of this release then. */
async function broughtUpToDate(dataDir: string, url: string): Promise<void> {
  if (!existsSync(join(dataDir, "parlance.db"))) {
    throw new MoveError(`There is no database in ${dataDir}. PARLANCE_DATA names the data folder.`);
  }
  openAlone(dataDir)[Symbol.dispose]();
  const target = await openTarget(url);
  try {
    await refuseForeign(target.client);
  } finally {
    await target[Symbol.asyncDispose]();
  }
  await (await openDb(dataDir)).destroy();
  await (await openDb(dataDir, url)).destroy();
}

/** Opens the file so that no other process can, which fails while one has it open. */
function openAlone(dataDir: string): { db: DatabaseSync } & Disposable {
  const db = new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 0 });
  try {
    db.exec("pragma locking_mode = exclusive; begin exclusive; select count(*) from sqlite_master;");
  } catch (error) {
    db.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
    if (!isBusy) throw error;
    throw new MoveError(`The database in ${dataDir} is in use. End Parlance, and every other program that has it open, first.`);
  }
  return { db, [Symbol.dispose]: () => db.close() };
}

async function openTarget(url: string): Promise<{ client: Client } & AsyncDisposable> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: url, application_name: "parlance-move", types: await numbersOf() });
  // What is awaited says so.
  client.on("error", () => undefined);
  await client.connect();
  const close = () => client.end().catch(() => undefined);
  try {
    const { locked } = await one(client, `select pg_try_advisory_lock(hashtext('${lockName}')) as locked`);
    if (locked !== true) throw new MoveError("Another move to this database is under way.");
    await refuseWhileUsed(client);
  } catch (error) {
    await close();
    throw error;
  }
  return { client, [Symbol.asyncDispose]: close };
}

/** Whoever has just closed a connection is not gone at once. */
async function refuseWhileUsed(client: Client): Promise<void> {
  for (let asked = 1; ; asked += 1) {
    const { others } = await one(
      client,
      `select count(*) as others from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    if (others === 0) return;
    if (asked === 10)
      throw new MoveError("The database in PostgreSQL is in use. End every Parlance that is connected to it first.");
    await setTimeout(100);
  }
}

async function one(client: Client, statement: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query(statement);
  return v.parse(v.tuple([v.record(v.string(), v.unknown())]), rows)[0];
}

async function refuseForeign(client: Client): Promise<void> {
  const { all, ours } = await one(
    client,
    `select count(*) as all, count(*) filter (where tablename = 'kysely_migration') as ours
     from pg_tables where schemaname = current_schema()`,
  );
  if (all !== 0 && ours === 0)
    throw new MoveError("The database in PostgreSQL has tables of another program. Create one for Parlance.");
}

async function refuseUnlessEmpty(client: Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    const { found } = await one(client, `select exists(select 1 from ${quoted(name)}) as found`);
    if (found === true)
      throw new MoveError(`The database in PostgreSQL is not empty: there are rows in ${name}. Nothing was moved.`);
  }
}

async function lock(client: Client, tables: readonly Table[], mode: string): Promise<void> {
  const names = tables.map(({ name }) => quoted(name)).join(", ");
  await client.query(`lock table ${names} in ${mode} mode`);
}

async function inOneTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query("begin");
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    if (error instanceof MoveError) throw error;
    const code = errorCodeOf(error) ?? "";
    throw new MoveError(`Nothing was moved: ${error instanceof Error ? error.message : String(error)} ${code}`.trim(), {
      cause: error,
    });
  }
}

async function copy(source: DatabaseSync, client: Client, { name, columns, select }: Table): Promise<void> {
  const names = columns.map(quoted).join(", ");
  const write = async (rows: readonly Cell[][]) => {
    if (rows.length === 0) return;
    const values = rows.map((row, at) => `(${row.map((_, index) => `$${at * row.length + index + 1}`).join(", ")})`);
    await client.query(`insert into ${quoted(name)} (${names}) values ${values.join(", ")}`, rows.flat());
  };
  let portion: Cell[][] = [];
  let weight = 0;
  for (const row of rowsOf(source, select)) {
    portion.push(row);
    weight += row.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 8), 0);
    if (portion.length < portionRows && weight < portionWeight) continue;
    await write(portion);
    [portion, weight] = [[], 0];
  }
  await write(portion);
}

const Row = v.array(v.union([v.string(), v.number(), v.null()]));

/** Rows as PostgreSQL stores them. */
function* rowsOf(source: DatabaseSync, select: string): Generator<Cell[]> {
  const statement = source.prepare(select);
  statement.setReturnArrays(true);
  for (const row of statement.iterate()) yield v.parse(Row, v.parse(v.array(v.unknown()), row).map(storable));
}

async function compareAll(
  source: DatabaseSync,
  client: Client,
  tables: readonly Table[],
  onTable: MoveOptions["onTable"],
): Promise<number> {
  let total = 0;
  for (const table of tables) {
    const rows = await compare(source, client, table);
    onTable?.(table.name, rows);
    total += rows;
  }
  return total;
}

/** Reads both in the order of their keys, side by side. @returns how many rows there are */
async function compare(source: DatabaseSync, client: Client, { name, select }: Table): Promise<number> {
  await client.query(`declare moved no scroll cursor for ${select}`);
  let count = 0;
  let portion: Cell[][] = [];
  const next = async () => {
    if (portion.length === 0) {
      const { rows } = await client.query({ text: `fetch ${portionRows} from moved`, rowMode: "array" });
      portion = v.parse(v.array(Row), rows).reverse();
    }
    return portion.pop();
  };
  for (const row of rowsOf(source, select)) {
    count += 1;
    if (JSON.stringify(await next()) !== JSON.stringify(row)) {
      throw new MoveError(`Row ${count} of ${name} (${JSON.stringify(row[0])}) is not the same in both databases.`);
    }
  }
  if ((await next()) !== undefined) throw new MoveError(`There are more rows of ${name} in PostgreSQL.`);
  await client.query("close moved");
  return count;
}
