import { sql } from "kysely";
import { listedTextLength } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
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
] as const;

/** A row of a list: without segments, long texts truncated. */
export interface SummaryRow extends Pick<TranscriptionRow, (typeof summaryColumns)[number] | "text" | "translated_text"> {
  /** 1 when a text is truncated. */
  shortened?: number;
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
    .select(sql<number>`case when ${isLong("text")} or ${isLong("translated_text")} then 1 else 0 end`.as("shortened"));
}

/** One of this person's transcriptions that is not deleted, as a row of a list. */
export function findSummary(db: Db, userId: string, id: string): Promise<SummaryRow | undefined> {
  return summaries(db).where("id", "=", id).where("user_id", "=", userId).where("deleted_at", "is", null).executeTakeFirst();
}
