import { sql } from "kysely";
import { type Db, isPostgres } from "#server/db/open.ts";
import type { Passage } from "./passages.ts";

/** A transcription whose current version is not in the index. */
export interface Behind {
  transcription_id: string;
  user_id: string;
  version: number;
}

/** In a stable order, starting after `after`. @param userId undefined: all users */
export function listBehind(db: Db, userId: string | undefined, after: Behind | undefined, limit: number): Promise<Behind[]> {
  return db
    .selectFrom("search_documents")
    .select(["transcription_id", "user_id", "version"])
    .whereRef("indexed", "<>", "version")
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("user_id", "transcription_id"), ">", tuple(after?.user_id ?? "", after?.transcription_id ?? "")),
      ),
    )
    .orderBy("user_id")
    .orderBy("transcription_id")
    .limit(limit)
    .execute();
}

/**
 * Adds transcriptions that the index does not know: those of earlier releases, restored ones, and those moved here.
 * @param userId undefined: all users
 * @param after an id: continues with the transcriptions behind it, some at a time
 * @returns the last id that was looked at; undefined at the end
 */
export async function noteUnknown(db: Db, userId: string | undefined, after: string): Promise<string | undefined> {
  const ids = await db
    .selectFrom("transcriptions")
    .select("id")
    .where("id", ">", after)
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
    .orderBy("id")
    .limit(idsAtOnce)
    .execute();
  const last = ids.at(-1)?.id;
  if (last === undefined) return undefined;
  await db
    .insertInto("search_documents")
    .columns(["transcription_id", "user_id", "date", "version", "indexed"])
    .expression((eb) =>
      eb
        .selectFrom("transcriptions")
        .select(["id", "user_id", sql.lit(0).as("date"), sql.lit(1).as("version"), sql.lit(0).as("indexed")])
        .where("id", ">", after)
        .where("id", "<=", last)
        .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("search_documents").select("version").whereRef("transcription_id", "=", "transcriptions.id"))),
        ),
    )
    .onConflict((conflict) => conflict.column("transcription_id").doNothing())
    .execute();
  return last;
}
/** A batch takes some milliseconds when the index knows none of its ids. */
const idsAtOnce = 500;

export function listPassages(db: Db, transcriptionId: string) {
  return db
    .selectFrom("passages")
    .select(["id", "starts_at", "ends_at", "speaker", "language", "text", "translation", "is_title"])
    .where("transcription_id", "=", transcriptionId)
    .execute();
}

/** @returns false, without a change, when the transcription has changed since */
export function insertPassages(db: Db, behind: Behind, passages: readonly Passage[]): Promise<boolean> {
  const { transcription_id, user_id } = behind;
  return db.transaction().execute(async (t) => {
    const document = await t
      .selectFrom("search_documents")
      .select("version")
      .where("transcription_id", "=", transcription_id)
      .executeTakeFirst();
    if (document?.version !== behind.version) return false;
    await t
      .insertInto("passages")
      .values(passages.map((passage) => ({ ...passage, transcription_id, user_id })))
      .execute();
    return true;
  });
}

export async function deletePassages(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom("passages").where("id", "in", ids).execute();
}

/**
 * Makes the transcription searchable. It stays behind if it has changed since, or if another process has written the
 * same passages, too.
 * @param count of its passages
 * @param date epoch ms
 */
export async function noteIndexed(db: Db, { transcription_id, version }: Behind, count: number, date: number): Promise<void> {
  await db
    .updateTable("search_documents")
    .set({ indexed: version, date })
    .where((eb) => eb.and({ transcription_id, version }))
    .where(
      ({ selectFrom }) =>
        sql<boolean>`${selectFrom("passages")
          .select(({ fn }) => fn.countAll().as("count"))
          .where("transcription_id", "=", transcription_id)} = ${count}`,
    )
    .execute();
}

/** Passages removed from the index at once; each takes some milliseconds. */
const erasedAtOnce = 4;

/**
 * Removes some deleted passages from SQLite's index and overwrites them. PostgreSQL's index drops them with their rows.
 * @returns whether there may be more
 */
export async function eraseSome(db: Db): Promise<boolean> {
  if (isPostgres(db)) return false;
  return db.transaction().execute(async (t) => {
    const first = sql`select id from search_erased order by id limit ${sql.lit(erasedAtOnce)}`;
    await sql`insert into search_index(search_index, rowid, terms)
      select 'delete', id, terms from search_erased where id in (${first})`.execute(t);
    const { numAffectedRows } = await sql`delete from search_erased where id in (${first})`.execute(t);
    return numAffectedRows !== undefined && numAffectedRows > 0n;
  });
}
