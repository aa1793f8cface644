import { readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { sql } from "kysely";
import * as v from "valibot";
import { onTestFinished } from "vitest";
import { type Db, isPostgres } from "#server/db/open.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { administer, createTestDatabase } from "#tests/grown/harness-postgres.ts";

// Databases of earlier releases (tests/fixtures/databases/make.ts).

const folder = join(import.meta.dirname, "../../fixtures/databases");
const Remembered = v.object({ at: v.number(), refreshToken: v.string() });

export interface Release {
  name: string;
  /** The time of its use (epoch ms), and the refresh token in Ada's browser. */
  at: number;
  refreshToken: string;
}

const namesOf = (ending: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .toSorted();
const described = (name: string): Release => ({
  name,
  ...v.parse(Remembered, JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))),
});

export const releases = namesOf(".db.br").map(described);
/** Releases whose rows also exist for PostgreSQL. */
export const postgresReleases = namesOf(".sql.br").map(described);

const stored = (file: string) => brotliDecompressSync(readFileSync(join(folder, file)));

/** A data folder with a release's database, which is deleted after the test. */
export async function folderOf({ name }: Release): Promise<string> {
  const dataDir = await makeTemporaryFolder();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await writeFile(join(dataDir, "parlance.db"), stored(`${name}.db.br`));
  return dataDir;
}

/** The address of a PostgreSQL database of a release, which is deleted after the test. */
export async function urlOf({ name }: Release): Promise<string> {
  const { url, drop } = await createTestDatabase(true);
  onTestFinished(drop);
  await administer(url, stored(`${name}.sql.br`).toString());
  return url;
}

const Row = v.record(v.string(), v.union([v.string(), v.number(), v.null()]));
export type Row = v.InferOutput<typeof Row>;

/** All rows of all tables except those of the search index, which is specific to SQLite. */
export async function rowsIn(db: Db): Promise<Map<string, Row[]>> {
  const all = new Map<string, Row[]>();
  for (const { name } of await db.introspection.getTables()) {
    if (/^search_(index|erased)/.test(name)) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    all.set(name, v.parse(v.array(Row), rows));
  }
  return all;
}

/** Tables with their columns, indices and constraints, sorted. */
export async function schemaOf(db: Db) {
  const tables = (await db.introspection.getTables()).map(({ name, columns }) => ({
    name,
    columns: columns
      .map(({ name: column, dataType, isNullable, hasDefaultValue }) => ({ column, dataType, isNullable, hasDefaultValue }))
      .toSorted((a, b) => (a.column < b.column ? -1 : 1)),
  }));
  const defined = isPostgres(db)
    ? sql<{ definition: string }>`
        select indexdef as definition from pg_indexes where schemaname = 'public' union all
        select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace`
    : sql<{ definition: string }>`
        select sql as definition from sqlite_master where type = 'index' and sql is not null union all
        select m.name || ' ' || f."from" || ' ' || f."table" || ' ' || f.on_delete
          from sqlite_master as m, pragma_foreign_key_list(m.name) as f where m.type = 'table'`;
  return { tables, definitions: (await defined.execute(db)).rows.map(({ definition }) => definition).toSorted() };
}
