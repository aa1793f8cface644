import type { Selectable } from "kysely";
import type { Note } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { NoteTable } from "#server/db/schema-notes.ts";

export type NoteRow = Selectable<NoteTable>;

export function viewNote({ id, starts_at, ends_at, colour, text, revision, created_at, changed_at }: NoteRow): Note {
  const [createdAt, changedAt] = [new Date(created_at).toISOString(), new Date(changed_at).toISOString()];
  return { id, start: starts_at, end: ends_at, colour, text, revision, createdAt, changedAt };
}

/** Those of one of a person's transcriptions, by where they begin. */
export async function listNotes(db: Db, userId: string, transcriptionId: string): Promise<Note[]> {
  const rows = await db
    .selectFrom("notes")
    .selectAll()
    .where("transcription_id", "=", transcriptionId)
    .where("user_id", "=", userId)
    .orderBy("starts_at")
    .orderBy("ends_at")
    .orderBy("id")
    .execute();
  return rows.map(viewNote);
}
