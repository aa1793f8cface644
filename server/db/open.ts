import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Kysely, PostgresAdapter, sql } from "kysely";
import { FileMigrationProvider, Migrator } from "kysely/migration";
import { ObservedKysely } from "./changes.ts";
import { DatabaseGoneError } from "./errors.ts";
import { postgresDialect } from "./postgres.ts";
import { recordQuery } from "./record-query.ts";
import { SerializableKysely } from "./retry.ts";
import type { Schema } from "./schema.ts";
import { nodeSqliteDialect } from "./sqlite.ts";

export type Db = Kysely<Schema>;

/** Dependencies of nearly every feature. */
export interface DbParts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Each file is a migration, which its name orders; a released one is never changed. */
const migrationFolder = fileURLToPath(new URL("migrations", import.meta.url));

/**
 * Opens the database and migrates it: `<dataDir>/parlance.db`, whose folder must exist (data-folder.ts), or PostgreSQL.
 * If several processes open one at the same time, one migrates it and the others wait.
 * @param url postgres://…; default: the file
 * @throws if it can't be reached, is no database of Parlance or a migration fails
 */
export async function openDb(dataDir: string, url?: string): Promise<Db> {
  const db = connectDb(dataDir, url);
  try {
    if (!(await isUpToDate(db))) {
      const provider = new FileMigrationProvider({ fs, path, migrationFolder });
      // A migration with an earlier number may be released later, so missing ones run in any order.
      const { error } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest();
      if (error !== undefined) throw error;
    }
    return db;
  } catch (error) {
    await db.destroy();
    const which = url === undefined ? `The database in ${dataDir}` : `The database ${shownUrl(url)}`;
    throw new Error(`${which} could not be opened and migrated.`, { cause: error });
  }
}

/** The same without bringing it up to date: for a program that may be newer than the server that runs. */
export function connectDb(dataDir: string, url?: string): Db {
  if (url !== undefined) return new SerializableKysely({ dialect: postgresDialect(url), log: recordQuery });
  return new ObservedKysely({ dialect: nodeSqliteDialect(path.join(dataDir, "parlance.db")), log: recordQuery });
}

/**
 * Whether it has exactly the migrations of this release: asking takes a statement, the migrator looks at every table.
 * @throws DatabaseGoneError
 */
export async function isUpToDate(db: Db): Promise<boolean> {
  const done = await appliedMigrations(db).catch((error: unknown) => {
    // A database without tables. The migrator reports other errors.
    if (error instanceof DatabaseGoneError) throw error;
    return [];
  });
  const known = (await fs.readdir(migrationFolder)).map((file) => path.parse(file).name);
  return done.length === known.length && done.every((name) => known.includes(name));
}

/** @throws when it is no database of Parlance */
async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/** @throws when the database does not answer */
export async function askDb(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Opens it for reading alongside a server that may be running. Its tables may be of an earlier release. */
export function openDbToRead(dataDir: string, url?: string): Db {
  if (url !== undefined) return new Kysely<Schema>({ dialect: postgresDialect(url, true) });
  return new Kysely<Schema>({ dialect: nodeSqliteDialect(path.join(dataDir, "parlance.db"), true) });
}

/**
 * Whether the rows are in PostgreSQL, which other machines may use, too; otherwise in a file that only this machine
 * has.
 */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** A database's address without its password. */
function shownUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
