import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { compareAll, copyToPostgres } from "./copy-rows.ts";
import { openDb } from "./open.ts";
import { connectAlone, inOneTransaction, lock, MoveError, one, openAlone, refuseForeign } from "./postgres-alone.ts";
import { listTables, quoted, type Table } from "./tables.ts";

const failure = "Nothing was moved";

export interface MoveOptions {
  dataDir: string;
  /** postgres://… */
  url: string;
  /** Receives each table when it is done. */
  onTable?: (name: string, rows: number) => void;
}

/**
 * Copies an embedded database into an empty one in PostgreSQL, and compares every row of both before it commits, all in
 * one transaction. Nobody can use either database in that time. The file stays unchanged.
 * @returns the number of rows
 * @throws MoveError if one is in use, the target is not empty or a row differs; then nothing is moved
 */
export async function moveToPostgres({ dataDir, url, onTable }: MoveOptions): Promise<number> {
  await broughtUpToDate(dataDir, url);
  using source = openAlone(dataDir);
  await using target = await connectAlone(url);
  const tables = listTables(source.db);
  return await inOneTransaction(target.client, { failure }, async () => {
    await lock(target.client, tables, "access exclusive");
    await refuseUnlessEmpty(target.client, tables);
    for (const table of tables) await copyToPostgres(source.db, target.client, table);
    return compareAll(source.db, target.client, tables, onTable);
  });
}

/**
 * Compares every row of an embedded database with those in PostgreSQL, while nobody can change either.
 * @returns the number of rows
 * @throws MoveError if one is in use, or with the first row that differs
 */
export async function compareWithPostgres({ dataDir, url, onTable }: MoveOptions): Promise<number> {
  await broughtUpToDate(dataDir, url);
  using source = openAlone(dataDir);
  await using target = await connectAlone(url);
  const tables = listTables(source.db);
  return await inOneTransaction(target.client, { failure }, async () => {
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
  const target = await connectAlone(url);
  try {
    await refuseForeign(target.client);
  } finally {
    await target[Symbol.asyncDispose]();
  }
  await (await openDb(dataDir)).destroy();
  await (await openDb(dataDir, url)).destroy();
}

async function refuseUnlessEmpty(client: Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    const { found } = await one(client, `select exists(select 1 from ${quoted(name)}) as found`);
    if (found === true) throw new MoveError(`The database in PostgreSQL is not empty: ${name} has rows. Nothing was moved.`);
  }
}
