import { rm } from "node:fs/promises";
import { emptyLog } from "#server/db/checkpoint.ts";
import type { Db } from "#server/db/open.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { Storage } from "#server/storage.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { forgetTurns } from "#server/translator/queries.ts";

/**
 * Deletes a transcription at once and for good: its row, its job with the pieces that were recognised, its audio as it came and as it
 * was decoded, the recording that it was made of, the turns of a conversation. There is no undo.
 */
export async function destroyTranscription(
  { db, storage, worker }: { db: Db; storage: Storage; worker: Worker },
  row: Pick<TranscriptionRow, "id" | "user_id" | "client_id" | "recording_id">,
): Promise<void> {
  const { id, user_id: userId } = row;
  const recordings = await db.transaction().execute(async (t) => {
    const made = await t
      .deleteFrom("recordings")
      .where("user_id", "=", userId)
      .where((eb) => eb.or([eb("transcription_id", "=", id), eb("recording_id", "=", row.recording_id ?? "")]))
      .returning("id")
      .execute();
    await t.deleteFrom("transcriptions").where("id", "=", id).execute();
    await forgetTurns(t, userId, row.client_id);
    return made;
  });
  worker.check();
  await storage.removeAudio(id);
  await rm(storage.pcmPath(id), { force: true });
  for (const recording of recordings) await storage.removeLive(recording.id);
  await emptyLog(db);
}
