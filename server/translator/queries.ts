import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { findsAny } from "#server/db/results.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import type { TurnTable } from "./tables.ts";

export type TurnRow = Selectable<TurnTable>;

/** All turns of a conversation in chronological order, including deleted ones. */
export function listTurns(db: Db, userId: string, conversationId: string): Promise<TurnRow[]> {
  return db
    .selectFrom("turns")
    .selectAll()
    .where((eb) => eb.and({ user_id: userId, conversation_id: conversationId }))
    .orderBy("date")
    .orderBy("turn_id")
    .execute();
}

/** Inserts or replaces a turn. */
export async function putTurn(t: Db, turn: Insertable<TurnTable>): Promise<void> {
  const { date, samples, deleted } = turn;
  await t
    .insertInto("turns")
    .values(turn)
    .onConflict((conflict) => conflict.columns(["user_id", "conversation_id", "turn_id"]).doUpdateSet({ date, samples, deleted }))
    .execute();
}

/** Whether a turn with this id was deleted, in any conversation. */
export function isDeletedTurn(db: Db, userId: string, turnId: string): Promise<boolean> {
  return findsAny(
    db
      .selectFrom("turns")
      .select("turn_id")
      .where((eb) => eb.and({ user_id: userId, turn_id: turnId, deleted: 1 })),
  );
}

/** Deletes the turns of a purged conversation; the ids of deleted turns are kept. */
export async function deleteTurnsOf(t: Db, userId: string, conversationId: string): Promise<void> {
  await t
    .deleteFrom("turns")
    .where((eb) => eb.and({ user_id: userId, conversation_id: conversationId, deleted: 0 }))
    .execute();
}

/**
 * @param replacement the file that replaces the audio; undefined when the audio itself was changed
 * @param more by how much the audio grows, in bytes
 */
export async function markUnsettled(
  t: Db,
  transcriptionId: string,
  { replacement, more }: { replacement: string | undefined; more: number },
): Promise<void> {
  const mark = { replacement: replacement ?? null };
  await noteAudioChange(t, transcriptionId, more);
  await t
    .insertInto("unsettled_audio")
    .values({ transcription_id: transcriptionId, ...mark })
    .onConflict((conflict) => conflict.column("transcription_id").doUpdateSet(mark))
    .execute();
}

export function findUnsettled(db: Db, transcriptionId: string) {
  return db.selectFrom("unsettled_audio").selectAll().where("transcription_id", "=", transcriptionId).executeTakeFirst();
}

/** Conversations whose audio may be out of date after a crash. */
export function listUnsettled(db: Db) {
  return db
    .selectFrom("unsettled_audio")
    .innerJoin("transcriptions", "transcriptions.id", "unsettled_audio.transcription_id")
    .select(["transcriptions.id", "transcriptions.user_id", "transcriptions.client_id"])
    .execute();
}

export async function markSettled(db: Db, transcriptionId: string): Promise<void> {
  await db.deleteFrom("unsettled_audio").where("transcription_id", "=", transcriptionId).execute();
}
