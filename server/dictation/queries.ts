import { randomUUID } from "node:crypto";
import type { Selectable, Updateable } from "kysely";
import { parse, parseJson, pipe, string } from "valibot";
import { type HeardBy, Segment, type SpeechLanguage } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { affectsAny, countRows, idsOf } from "#server/db/results.ts";
import type { RecordingTable } from "./tables.ts";

export type RecordingRow = Selectable<RecordingTable>;

const StoredSegment = pipe(string(), parseJson(), Segment);

interface NewRecording {
  userId: string;
  recordingId: string;
  sourceLanguage: SpeechLanguage;
  targetLanguage: string | undefined;
  heardBy: HeardBy | undefined;
}

/** Finds or creates a recording by its client id. The languages stay those of its beginning. */
export async function openRecording(db: Db, recording: NewRecording, at: number): Promise<RecordingRow> {
  await db
    .insertInto("recordings")
    .values({
      id: randomUUID(),
      user_id: recording.userId,
      recording_id: recording.recordingId,
      source_language: recording.sourceLanguage,
      target_language: recording.targetLanguage ?? null,
      heard_by: recording.heardBy ?? null,
      created_at: at,
      touched_at: at,
      final_sample: 0,
    })
    .onConflict((conflict) => conflict.columns(["user_id", "recording_id"]).doNothing())
    .execute();
  return ofPerson(db, recording.userId, recording.recordingId).executeTakeFirstOrThrow();
}

export function findRecording(db: Db, userId: string, recordingId: string): Promise<RecordingRow | undefined> {
  return ofPerson(db, userId, recordingId).executeTakeFirst();
}

function ofPerson(db: Db, userId: string, recordingId: string) {
  return db.selectFrom("recordings").selectAll().where("user_id", "=", userId).where("recording_id", "=", recordingId);
}

/** Another connection feeds the recording now, perhaps in another process: this one must not write to it any more. */
export class RecordingClaimedError extends Error {
  override readonly name = "RecordingClaimedError";
}

/**
 * Makes this connection the owner: from now on no other one stores a final, or confirms a frame.
 * @returns the recording as the last owner left it; undefined when it is gone, or is a transcription's
 */
export function claimRecording(db: Db, id: string, owner: string, at: number): Promise<RecordingRow | undefined> {
  return db
    .updateTable("recordings")
    .set({ owner, touched_at: at })
    .where("id", "=", id)
    .where("transcription_id", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * The page can't recognize it after all: an engine of the server does, from its beginning.
 * @throws RecordingClaimedError
 */
export async function leaveToEngine(db: Db, recording: RecordingRow): Promise<RecordingRow> {
  const change = { heard_by: null, final_sample: 0 };
  await db.transaction().execute(async (t) => {
    await changeOwn(t, recording.id, recording.owner ?? "", change);
    await t.deleteFrom("recording_segments").where("recording", "=", recording.id).execute();
  });
  return { ...recording, ...change };
}

/** Takes over a recording from its current connection, in any process. */
export async function closeRecording(db: Db, id: string): Promise<void> {
  await db.updateTable("recordings").set({ owner: null }).where("id", "=", id).where("owner", "is not", null).execute();
}

/** Updates the time of last use, and how long its audio is by now. False when another connection has taken it over. */
export function touchRecording(
  db: Db,
  { id, owner }: { id: string; owner: string },
  { at, bytes }: { at: number; bytes: number },
): Promise<boolean> {
  return affectsAny(
    db
      .updateTable("recordings")
      .set({ touched_at: at, bytes })
      .where((eb) => eb.and({ id, owner })),
  );
}

export interface Final {
  idx: number;
  segment: Segment;
  /** Every word before it is final. */
  finalSample: number;
}

/** @throws RecordingClaimedError */
export async function addFinal(db: Db, id: string, owner: string, { idx, segment, finalSample }: Final): Promise<void> {
  await db.transaction().execute(async (t) => {
    await changeOwn(t, id, owner, { final_sample: finalSample });
    await t
      .insertInto("recording_segments")
      .values({ recording: id, idx, segment: JSON.stringify(segment) })
      .execute();
  });
}

/** @throws RecordingClaimedError */
async function changeOwn(t: Db, id: string, owner: string, change: Updateable<RecordingTable>): Promise<void> {
  const { numUpdatedRows } = await t
    .updateTable("recordings")
    .set(change)
    .where((eb) => eb.and({ id, owner }))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RecordingClaimedError();
}

export async function listFinals(db: Db, id: string): Promise<Segment[]> {
  const rows = await db.selectFrom("recording_segments").select("segment").where("recording", "=", id).orderBy("idx").execute();
  return rows.map((row) => parse(StoredSegment, row.segment));
}

/**
 * All frames have arrived and every word is final.
 * @throws RecordingClaimedError
 */
export async function completeRecording(db: Db, id: string, owner: string, totalFrames: number): Promise<void> {
  await changeOwn(db, id, owner, { total_frames: totalFrames });
}

/**
 * The audio now belongs to a transcription: deletes the data that only feeding needed.
 * @param recording as it was read
 * @returns false if it has become another transcription's
 */
export async function attachRecording(
  t: Db,
  { id, transcription_id }: Pick<RecordingRow, "id" | "transcription_id">,
  transcriptionId: string,
): Promise<boolean> {
  const isAttached = await affectsAny(
    t
      .updateTable("recordings")
      .set({ transcription_id: transcriptionId, owner: null })
      .where("id", "=", id)
      .where("transcription_id", "is not distinct from", transcription_id),
  );
  if (isAttached) await t.deleteFrom("recording_segments").where("recording", "=", id).execute();
  return isAttached;
}

/** When a recording was last in use, epoch ms. */
export async function findTouched(t: Db, id: string): Promise<number | undefined> {
  return (await t.selectFrom("recordings").select("touched_at").where("id", "=", id).executeTakeFirst())?.touched_at;
}

/** The number of a person's recordings without a transcription. */
export function countUnsaved(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom("recordings").where("user_id", "=", userId).where("transcription_id", "is", null));
}

/** The ids of the recordings that have no transcription yet. */
export function listUnattachedRecordingIds(db: Db): Promise<string[]> {
  return idsOf(db.selectFrom("recordings").select("id").where("transcription_id", "is", null));
}

/** Filters the recordings that have not become transcriptions. */
export function findUnattachedRecordings(db: Db, ids: readonly string[]): Promise<string[]> {
  return idsOf(db.selectFrom("recordings").select("id").where("id", "in", ids).where("transcription_id", "is", null));
}

/** The ids of a user's recordings, including those that have become transcriptions. */
export function listRecordingIdsOf(db: Db, userId: string): Promise<string[]> {
  return idsOf(db.selectFrom("recordings").select("id").where("user_id", "=", userId));
}

/** Deletes the recordings that a transcription was made from. @returns their ids */
export function deleteRecordingsAttachedTo(t: Db, transcriptionId: string): Promise<string[]> {
  return idsOf(t.deleteFrom("recordings").where("transcription_id", "=", transcriptionId).returning("id"));
}

export async function removeRecording(db: Db, id: string): Promise<void> {
  await db.deleteFrom("recordings").where("id", "=", id).execute();
}

/** Unattached recordings not used since a time (epoch ms). */
export function listIdle(db: Db, since: number): Promise<RecordingRow[]> {
  return db
    .selectFrom("recordings")
    .selectAll()
    .where("transcription_id", "is", null)
    .where("touched_at", "<=", since)
    .orderBy("touched_at")
    .limit(50)
    .execute();
}
