import { sql } from "kysely";
import { listedTextLength } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { findsAny } from "#server/db/results.ts";
import type { TranscriptionRow } from "./queries.ts";

const summaryColumns = [
  "id",
  "user_id",
  "client_id",
  "recording_id",
  "title",
  "source_language",
  "target_language",
  "date",
  "status",
  "origin",
  "duration_seconds",
  "audio_type",
  "file_name",
  "engine",
  "stage",
  "fraction",
  "seconds_left",
  "error_code",
  "error_message",
  "revision",
  "deleted_at",
  "tracks",
  "track",
  "holes",
] as const;

/** A row of a list: without segments, long texts truncated. */
export interface SummaryRow extends Pick<TranscriptionRow, (typeof summaryColumns)[number] | "text" | "translated_text"> {
  /** 1 when a text is truncated. */
  shortened?: number;
  /** Its folder; null when it was never filed. */
  folder_id?: string | null;
  favourite?: number | null;
  /** Tag ids, joined by commas; null for none. */
  tag_ids?: string | null;
}

/** Where a transcription is filed, as additional columns of its row. */
const filedColumns = [
  sql<string | null>`(select folder_id from filings where transcription_id = transcriptions.id)`.as("folder_id"),
  sql<number | null>`(select favourite from filings where transcription_id = transcriptions.id)`.as("favourite"),
  sql<
    string | null
  >`(select string_agg(tag_id, ',' order by tag_id) from transcription_tags where transcription_id = transcriptions.id)`.as(
    "tag_ids",
  ),
] as const;

/** The columns for where it is filed. */
export type FiledColumns = Required<Pick<SummaryRow, "folder_id" | "favourite" | "tag_ids">>;

/** Where a transcription is filed; undefined when it does not exist. */
export function findFiled(db: Db, id: string): Promise<FiledColumns | undefined> {
  return db.selectFrom("transcriptions").select(filedColumns).where("id", "=", id).executeTakeFirst();
}

/** The state of its recording's picture; undefined when nobody has requested it. */
export async function findPictureState(db: Db, id: string): Promise<string | undefined> {
  const found = db.selectFrom("videos").select("state").where("transcription_id", "=", id).where("kind", "=", "picture");
  return (await found.executeTakeFirst())?.state;
}

/** Whether a language model has made insights of it. */
export function hasInsights(db: Db, id: string): Promise<boolean> {
  const made = db.selectFrom("insights").select("id").where("transcription_id", "=", id).limit(1);
  return findsAny(made);
}

/** The base query, to be narrowed down. @param length of the texts, in characters */
export function summaries(db: Db, length = listedTextLength) {
  const beginning = (column: "text" | "translated_text") =>
    sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(length)})`.as(column);
  const isLong = (column: "text" | "translated_text") => sql`length(${sql.ref(column)}) > ${sql.lit(length)}`;
  return db
    .selectFrom("transcriptions")
    .select(summaryColumns)
    .select([beginning("text"), beginning("translated_text")])
    .select(filedColumns)
    .select(sql<number>`case when ${isLong("text")} or ${isLong("translated_text")} then 1 else 0 end`.as("shortened"));
}

/** One of this user's undeleted transcriptions, as a row of a list. */
export function findSummary(db: Db, userId: string, id: string): Promise<SummaryRow | undefined> {
  return summaries(db).where("id", "=", id).where("user_id", "=", userId).where("deleted_at", "is", null).executeTakeFirst();
}
