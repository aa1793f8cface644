import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Wanted } from "#contract/search/wanted.ts";
import { type Db, isPostgres } from "#server/db/open.ts";
import { countRows } from "#server/db/results.ts";
import type { Candidate } from "./rank.ts";
import { matchOfPostgres, matchOfSqlite } from "./terms.ts";

export interface Filters {
  /** Without a region. */
  language: string | undefined;
  /** Epoch ms: at or after, and before. */
  from: number | undefined;
  to: number | undefined;
}

/** Most passages that are ranked. If more match, the latest ones are ranked. */
export const maxCandidates = 3000;

const deletedOf = (userId: string) => sql`select id from transcriptions where user_id = ${userId} and deleted_at is not null`;

/** Reads the passages that match in this user's transcripts as they are now, except those in the trash. */
export function candidateQuery(
  db: Db,
  userId: string,
  { wanted, mode, filters }: { wanted: readonly Wanted[]; mode: "all" | "any"; filters: Filters },
): CompiledQuery<Candidate> {
  const { language, from, to } = filters;
  const conditions: RawBuilder<unknown>[] = [
    sql`p.user_id = ${userId}`,
    sql`d.indexed = d.version`,
    sql`p.transcription_id not in (${deletedOf(userId)})`,
  ];
  if (language !== undefined) conditions.push(sql`p.language = ${language}`);
  if (from !== undefined) conditions.push(sql`d.date >= ${from}`);
  if (to !== undefined) conditions.push(sql`d.date < ${to}`);
  const source = isPostgres(db)
    ? sql`passages p join search_documents d on d.transcription_id = p.transcription_id
        where p.found_by @@ ${matchOfPostgres(wanted, mode)}::tsquery`
    : sql`search_index cross join passages p on p.id = search_index.rowid
        cross join search_documents d on d.transcription_id = p.transcription_id
        where search_index match ${matchOfSqlite(wanted, mode)}`;
  const order = isPostgres(db) ? sql`p.id` : sql`search_index.rowid`;
  return sql<Candidate>`select p.id, p.transcription_id, d.date, p.is_title, p.terms from ${source}
    and ${sql.join(conditions, sql` and `)} order by ${order} desc limit ${sql.lit(maxCandidates + 1)}`.compile(db);
}

/** Counts the passages that match one term, up to `maxCandidates`. */
export function countQuery(db: Db, userId: string, wanted: Wanted): CompiledQuery<{ found: number }> {
  const source = isPostgres(db)
    ? sql`passages where user_id = ${userId} and found_by @@ ${matchOfPostgres([wanted], "all")}::tsquery`
    : sql`search_index where search_index match ${matchOfSqlite([wanted], "all")}`;
  return sql<{
    found: number;
  }>`select count(*) as found from (select 1 from ${source} limit ${sql.lit(maxCandidates)}) as counted`.compile(db);
}

export async function run<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  return (await db.executeQuery(query)).rows;
}

/** Passages by their ids, with the titles of their transcripts. Passages deleted in the meantime are left out. */
export function listFound(db: Db, userId: string, ids: readonly number[]) {
  return db
    .selectFrom("passages")
    .innerJoin("search_documents", "search_documents.transcription_id", "passages.transcription_id")
    .innerJoin("transcriptions", "transcriptions.id", "passages.transcription_id")
    .select(["passages.id", "passages.transcription_id", "passages.starts_at", "passages.ends_at", "passages.speaker"])
    .select(["passages.language", "passages.text", "passages.translation", "passages.is_title"])
    .select(["transcriptions.title", "search_documents.date"])
    .where("passages.id", "in", ids)
    .where("transcriptions.user_id", "=", userId)
    .where("transcriptions.deleted_at", "is", null)
    .whereRef("search_documents.indexed", "=", "search_documents.version")
    .execute();
}
export type FoundRow = Awaited<ReturnType<typeof listFound>>[number];

/** Counts the user's transcriptions whose current version is not in the index, except those in the trash. */
export function countBehind(db: Db, userId: string): Promise<number> {
  return countRows(
    db
      .selectFrom("search_documents")
      .where("user_id", "=", userId)
      .whereRef("indexed", "<>", "version")
      .where(sql<boolean>`transcription_id not in (${deletedOf(userId)})`),
  );
}

/** The columns of a transcription that are indexed. */
export function findSearched(db: Db, id: string) {
  return db
    .selectFrom("transcriptions")
    .select(["id", "title", "text", "segments", "source_language", "status", "date"])
    .where("id", "=", id)
    .executeTakeFirst();
}
