import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Dialect } from "kysely";
import pg from "pg";
import { inject } from "vitest";
import { type Db, openDb } from "#server/db/open.ts";
import { postgresDialect } from "#server/db/postgres.ts";
import { nodeSqliteDialect } from "#server/db/sqlite.ts";
import { type BlockingDatabase, openBlockingPostgres } from "./blocking-postgres.ts";

// The database of a test server: a file, or PostgreSQL for the project `server-postgres`, which runs the same tests.

/** Whether this run's servers have their databases in PostgreSQL: tests about the file itself are skipped then. */
export const onPostgres = process.env.PARLANCE_TEST_DATABASE === "postgres";

/** The database of a data folder; undefined: the file in it. */
export const databaseUrl = (dataDir: string): string | undefined => (onPostgres ? urlOf(nameOf(dataDir)) : undefined);

/** The environment of a process that is to have the same database. */
export function databaseEnv(dataDir: string): { DATABASE_URL?: string } {
  const url = databaseUrl(dataDir);
  return url === undefined ? {} : { DATABASE_URL: url };
}

const nameOf = (dataDir: string): string => `t${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}`;

function urlOf(name: string): string {
  const url = new URL(inject("postgres"));
  url.pathname = `/${name}`;
  return url.href;
}

const created = new Map<string, Promise<void>>();

/** Gives a data folder a database that is migrated and empty, unless it has one. */
export async function createDatabase(dataDir: string): Promise<void> {
  if (!onPostgres) {
    const file = join(dataDir, "parlance.db");
    if (!existsSync(file)) await copyFile(inject("emptyDatabase"), file);
    return;
  }
  const name = nameOf(dataDir);
  const creating = created.get(name) ?? administer(`create database ${name} template parlance_template`);
  created.set(name, creating);
  await creating;
}

/** Drops it with whoever is connected; a file goes with its folder. */
export async function dropDatabase(dataDir: string): Promise<void> {
  const name = nameOf(dataDir);
  if (created.delete(name)) await administer(`drop database if exists ${name} with (force)`);
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
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
