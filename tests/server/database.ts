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

// The database of a test server: a file, or PostgreSQL for the project `server-postgres`, which runs the same tests.

/** Whether this run's servers have their databases in PostgreSQL: tests about the file itself are skipped then. */
export const onPostgres = process.env.PARLANCE_TEST_DATABASE === "postgres";

/** The database of a data folder; undefined: the file in it. */
export const databaseUrl = (dataDir: string): string | undefined => (onPostgres ? urlOf(databaseOf(dataDir).name) : undefined);

/** The environment of a process that is to have the same database. */
export function databaseEnv(dataDir: string): { DATABASE_URL?: string } {
  const url = databaseUrl(dataDir);
  return url === undefined ? {} : { DATABASE_URL: url };
}

/** Which database a data folder has, and when it is there. */
const databases = new Map<string, { name: string; ready: Promise<void> | undefined; isNew: boolean }>();

function databaseOf(dataDir: string) {
  const known = databases.get(dataDir) ?? { ...takeDatabase(), ready: undefined };
  databases.set(dataDir, known);
  return known;
}

/** Gives a data folder a database that is migrated and empty, unless it has one. */
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

/** Takes it away from whoever is connected; a file goes with its folder. */
export async function dropDatabase(dataDir: string): Promise<void> {
  const database = databases.get(dataDir);
  if (database === undefined) return;
  databases.delete(dataDir);
  // One that was only named does not exist.
  if (database.isNew && database.ready === undefined) return;
  await database.ready?.catch(() => undefined);
  await giveBackDatabase(database.name);
}

/** A second connection to a test server's database. */
export async function openTestDb(dataDir: string): Promise<Db> {
  await createDatabase(dataDir);
  return openDb(dataDir, databaseUrl(dataDir));
}

/** For a connection that knows no tables. */
export function dialectOf(dataDir: string): Dialect {
  const url = databaseUrl(dataDir);
  return url === undefined ? nodeSqliteDialect(join(dataDir, "parlance.db")) : postgresDialect(url);
}

/** The same with statements in SQL, which block: nothing else happens between two of them in this process. */
export function openSql(dataDir: string): BlockingDatabase {
  const url = databaseUrl(dataDir);
  if (url !== undefined) return openBlockingPostgres(url);
  return new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 10_000 });
}
