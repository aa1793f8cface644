import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Dialect } from "kysely";
import { inject } from "vitest";
import { type Db, openDb } from "#server/db/open.ts";
import { postgresDialect } from "#server/db/postgres.ts";
import { nodeSqliteDialect } from "#server/db/sqlite.ts";
import { type BlockingDatabase, openBlockingPostgres } from "./blocking-postgres.ts";
import { createNewDatabase, giveBackDatabase, takeDatabase, urlOf } from "./postgres-pool.ts";

// The database of a test server: a file, or PostgreSQL in the project `server-postgres`, which runs the same tests.

/** Whether this run's servers use PostgreSQL. Tests of the SQLite file are skipped then. */
export const onPostgres = process.env.PARLANCE_TEST_DATABASE === "postgres";

/** The PostgreSQL URL of a data folder; undefined for the file in it. */
export const databaseUrl = (dataDir: string): string | undefined => (onPostgres ? urlOf(databaseOf(dataDir).name) : undefined);

/** Environment variables that give another process the same database. */
export function databaseEnv(dataDir: string): { DATABASE_URL?: string } {
  const url = databaseUrl(dataDir);
  return url === undefined ? {} : { DATABASE_URL: url };
}

/** Database names by data folder. `ready` resolves when the database exists. */
const databases = new Map<string, { name: string; ready: Promise<void> | undefined; isNew: boolean }>();

function databaseOf(dataDir: string) {
  const known = databases.get(dataDir) ?? { ...takeDatabase(), ready: undefined };
  databases.set(dataDir, known);
  return known;
}

/** Creates an empty, migrated database for a data folder without one. */
export async function createDatabase(dataDir: string): Promise<void> {
  if (!onPostgres) {
    const file = join(dataDir, "parlance.db");
    if (!existsSync(file)) await copyFile(inject("emptyDatabase"), file);
    return;
  }
  const database = databaseOf(dataDir);
  database.ready ??= database.isNew ? createNewDatabase(database.name) : Promise.resolve();
  await database.ready;
}

/** Disconnects all clients and frees the database. A file is deleted with its folder. */
export async function dropDatabase(dataDir: string): Promise<void> {
  const database = databases.get(dataDir);
  if (database === undefined) return;
  databases.delete(dataDir);
  // A database that was named but never used doesn't exist.
  if (database.isNew && database.ready === undefined) return;
  await database.ready?.catch(() => undefined);
  await giveBackDatabase(database.name);
}

/** A second connection to a test server's database. */
export async function openTestDb(dataDir: string): Promise<Db> {
  await createDatabase(dataDir);
  return openDb(dataDir, databaseUrl(dataDir));
}

/** The dialect for a connection without a schema. */
export function dialectOf(dataDir: string): Dialect {
  const url = databaseUrl(dataDir);
  return url === undefined ? nodeSqliteDialect(join(dataDir, "parlance.db")) : postgresDialect(url);
}

/** A second connection for SQL statements that block: nothing else in this process runs between two of them. */
export function openSql(dataDir: string): BlockingDatabase {
  const url = databaseUrl(dataDir);
  if (url !== undefined) return openBlockingPostgres(url);
  return new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 10_000 });
}
