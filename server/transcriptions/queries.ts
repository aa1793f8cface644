import { type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import { inPortions, type Weighed } from "#server/db/portions.ts";
import type { Schema } from "#server/db/schema.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { type SummaryRow, summaries } from "#server/transcription/summary-queries.ts";

export interface HistoryPage {
  /** In the order of the page; rows that are deleted meanwhile are skipped. */
  rows: AsyncIterable<SummaryRow>;
  total: number;
}

/**
 * One page of a person's history, newest first. Streamed in portions (db/portions.ts).
 * @param page from 1
 * @param search substring of title, text or translated text, case-insensitive; "" matches everything
 */
export async function listHistory(
  db: Db,
  userId: string,
  { page, limit, search }: { page: number; limit: number; search: string },
): Promise<HistoryPage> {
  const from = (page - 1) * limit;
  if (search !== "") {
    const found = await searched(db, userId, search);
    return { rows: inOrder(db, found.slice(from, from + limit)), total: found.length };
  }
  const own = weighed(db, userId);
  const { total } = await own
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await newestFirst(own).limit(limit).offset(from).execute();
  return { rows: inOrder(db, rows), total: Number(total) };
}

type WeighedQuery = SelectQueryBuilder<Schema, "transcriptions", Weighed & { date: number }>;

/** Counts a person's rows by the index alone. */
function weighed(db: Db, userId: string): WeighedQuery {
  return db
    .selectFrom("transcriptions")
    .select(["id", "date", "weight"])
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null);
}

const newestFirst = (query: WeighedQuery) => query.orderBy("date", "desc").orderBy("id", "desc");

/** This person's sample (transcriptions/sample.ts), unless it has been deleted. */
export function findSample(db: Db, userId: string): Promise<TranscriptionRow | undefined> {
  return db
    .selectFrom("transcriptions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("origin", "=", "sample")
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Ids read from the index per query. */
const idsAtOnce = 500;

async function* allOf(db: Db, userId: string): AsyncGenerator<Weighed> {
  let last: { date: number; id: string } | undefined;
  for (;;) {
    const { date, id } = last ?? { date: Number.MAX_SAFE_INTEGER, id: "" };
    const rows = await newestFirst(weighed(db, userId))
      .where(({ eb, refTuple, tuple }) => eb(refTuple("date", "id"), "<", tuple(date, id)))
      .limit(idsAtOnce)
      .execute();
    yield* rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < idsAtOnce) return;
  }
}

/** The transcriptions that contain a text, newest first. */
async function searched(db: Db, userId: string, search: string): Promise<Weighed[]> {
  const wanted = search.toLowerCase();
  const all = new Map<string, Weighed>();
  const remembered = async function* () {
    for await (const row of allOf(db, userId)) {
      all.set(row.id, row);
      yield row;
    }
  };
  const found = new Set<string>();
  for await (const ids of inPortions(remembered())) {
    // Not `like`: for a text of one repeated letter its cost is the product of both lengths.
    const rows = await db
      .selectFrom("transcriptions")
      .select("id")
      .where("id", "in", ids)
      .where(sql<boolean>`instr(haystack, ${wanted}) > 0`)
      .execute();
    for (const { id } of rows) found.add(id);
  }
  return [...all.values()].filter(({ id }) => found.has(id));
}

async function* inOrder(db: Db, rows: Iterable<Weighed>): AsyncGenerator<SummaryRow> {
  for await (const ids of inPortions(rows)) {
    const read = await summaries(db).where("id", "in", ids).where("deleted_at", "is", null).execute();
    const byId = new Map(read.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = byId.get(id);
      if (row !== undefined) yield row;
    }
  }
}

/** Changes after a revision, in order; deleted ones are skipped. Streamed. */
export async function* listChanges(db: Db, userId: string, after: number): AsyncGenerator<SummaryRow> {
  for (let seen = after; ; ) {
    const rows = await db
      .selectFrom("transcriptions")
      .select(["id", "revision", "weight"])
      .where("user_id", "=", userId)
      .where("revision", ">", seen)
      .where("deleted_at", "is", null)
      .orderBy("revision")
      .limit(idsAtOnce)
      .execute();
    if (rows.length === 0) return;
    seen = rows.at(-1)?.revision ?? seen;
    // A row that changes again while it waits is moved to its new position.
    for await (const row of inOrder(db, rows)) if (row.revision <= seen) yield row;
  }
}

/** Whether a transcription has changed after a revision, or was purged: by the indices alone. */
export async function isChanged(db: Db, userId: string, id: string, after: number): Promise<boolean> {
  const there = await db.selectFrom("transcriptions").select("id").where("id", "=", id).executeTakeFirst();
  if (there === undefined) return true;
  const newer = await db
    .selectFrom("transcriptions")
    .select("revision")
    .where("user_id", "=", userId)
    .where("revision", ">", after)
    // The unary sign forces the index of changes, which contains the revision; by the id, the whole row would be read.
    .where(sql<boolean>`+id = ${id}`)
    .executeTakeFirst();
  return newer !== undefined;
}

/** Transcriptions in progress. */
export async function listUnfinished(db: Db, userId: string): Promise<SummaryRow[]> {
  const jobs = await db
    .selectFrom("jobs")
    .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
    .select("transcriptions.id")
    .where("transcriptions.user_id", "=", userId)
    .where("transcriptions.deleted_at", "is", null)
    .execute();
  if (jobs.length === 0) return [];
  return summaries(db)
    .where(
      "id",
      "in",
      jobs.map(({ id }) => id),
    )
    .orderBy("revision")
    .execute();
}
