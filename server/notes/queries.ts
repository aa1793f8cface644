import type { Selectable } from "kysely";
import type { Note } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { countRows, findsAny } from "#server/db/results.ts";
import type { NoteTable } from "./tables.ts";

export type NoteRow = Selectable<NoteTable>;

export function viewNote({ id, starts_at, ends_at, colour, text, revision, created_at, changed_at }: NoteRow): Note {
  const [createdAt, changedAt] = [new Date(created_at).toISOString(), new Date(changed_at).toISOString()];
  return { id, start: starts_at, end: ends_at, colour, text, revision, createdAt, changedAt };
}

/** A person's notes on a transcription, in order of their start. */
export async function listNotes(db: Db, userId: string, transcriptionId: string): Promise<Note[]> {
  const rows = await db
    .selectFrom("notes")
    .selectAll()
    .where((eb) => eb.and({ transcription_id: transcriptionId, user_id: userId }))
    .orderBy("starts_at")
    .orderBy("ends_at")
    .orderBy("id")
    .execute();
  return rows.map(viewNote);
}

interface Owned {
  id: string;
  userId: string;
  transcriptionId: string;
}

export function findNote(t: Db, { id, userId, transcriptionId }: Owned): Promise<NoteRow | undefined> {
  return t
    .selectFrom("notes")
    .selectAll()
    .where((eb) => eb.and({ transcription_id: transcriptionId, user_id: userId, id }))
    .executeTakeFirst();
}

export function countNotes(t: Db, { userId, transcriptionId }: Omit<Owned, "id">): Promise<number> {
  return countRows(t.selectFrom("notes").where((eb) => eb.and({ transcription_id: transcriptionId, user_id: userId })));
}

/**
 * Adds a note, or replaces the one with its id.
 * @returns false without a change if that one belongs to somebody else
 */
export function putNote(t: Db, row: NoteRow): Promise<boolean> {
  const { transcription_id: _, id: _id, user_id: _user, created_at: _created, ...changed } = row;
  return findsAny(
    t
      .insertInto("notes")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["transcription_id", "id"]).doUpdateSet(changed).where("notes.user_id", "=", row.user_id),
      )
      .returning("id"),
  );
}

export async function deleteNote(db: Db, { id, userId, transcriptionId }: Owned): Promise<void> {
  await db
    .deleteFrom("notes")
    .where((eb) => eb.and({ transcription_id: transcriptionId, user_id: userId, id }))
    .execute();
}

/** All notes of a person, for the export of an account. */
export async function exportedNotes(db: Db, userId: string) {
  const rows = await db
    .selectFrom("notes")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("transcription_id")
    .orderBy("starts_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const { id: _, revision: _revision, ...note } = viewNote(row);
    return { transcription: row.transcription_id, ...note };
  });
}
