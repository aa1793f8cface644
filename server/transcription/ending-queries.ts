import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { EndedTranscription, Origin, WebhookEvent } from "#contract/index.ts";
import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import type { TranscriptionTable } from "./tables.ts";

type Row = Pick<
  Selectable<TranscriptionTable>,
  "id" | "user_id" | "status" | "origin" | "source_language" | "target_language" | "duration_seconds" | "error_code"
>;

/** Nothing was waited for: a turn is there as it is spoken, the sample as it is asked for. */
const untold: ReadonlySet<Origin | null> = new Set<Origin | null>(["conversation", "sample"]);

/**
 * Notes that a transcription was completed or has failed, for whoever is to be told (webhooks/sender.ts). Call it in the transaction
 * that changes it: what is rolled back has not happened.
 * @param before its status until now; undefined for a new one
 */
export async function noteEnding(t: Db, row: Row, before: Row["status"] | undefined): Promise<void> {
  const event = eventOf(row.status);
  if (event === undefined || row.status === before || untold.has(row.origin)) return;
  const data: EndedTranscription = {
    id: row.id,
    origin: row.origin,
    sourceLanguage: row.source_language,
    targetLanguage: row.target_language,
    durationSeconds: row.duration_seconds,
    error: row.error_code,
  };
  await t
    .insertInto("endings")
    .values({ id: randomUUID(), user_id: row.user_id, transcription_id: row.id, event, data: JSON.stringify(data) })
    .execute();
  noteChange(t, "webhooks.due");
}

function eventOf(status: Row["status"]): WebhookEvent | undefined {
  if (status === "completed") return "transcription.completed";
  return status === "failed" ? "transcription.failed" : undefined;
}
