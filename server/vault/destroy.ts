import { emptyLog } from "#server/db/checkpoint.ts";
import type { Db } from "#server/db/open.ts";
import { deleteRecordingsOf } from "#server/dictation/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { Storage } from "#server/storage/storage.ts";
import { deleteTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import { deleteTurnsOf } from "#server/translator/queries.ts";
import { eraseVoices } from "#server/voice-profiles/profiles.ts";

/**
 * Deletes a transcription immediately and permanently: its row, its job and pieces, its original and decoded audio, the live
 * recording it was made from, a conversation's turns, and what its speakers sound like, also in the profiles of voices.
 */
export async function destroyTranscription(
  { db, storage, worker }: { db: Db; storage: Storage; worker: Worker },
  row: Pick<TranscriptionRow, "id" | "user_id" | "client_id" | "recording_id">,
): Promise<void> {
  const { id, user_id: userId } = row;
  const recordings = await db.transaction().execute(async (t) => {
    const made = await deleteRecordingsOf(t, userId, { transcriptionId: id, recordingId: row.recording_id });
    await eraseVoices(t, { userId, transcriptionId: id });
    await deleteTranscription(t, id);
    await deleteTurnsOf(t, userId, row.client_id);
    return made;
  });
  worker.check();
  await storage.removeAudio(id);
  await storage.removePcm(id);
  for (const recording of recordings) await storage.removeLive(recording);
  await emptyLog(db);
}
