import { rm } from "node:fs/promises";
import type { TranscriptionRow } from "../db/transcriptions.ts";
import { emptyLog } from "../db/vault.ts";
import type { Deps } from "../deps.ts";

/**
 * Deletes a transcription at once and for good: its row, its job with the pieces that were recognised, its audio as it came and as it was
 * decoded, the recording that it was made of. There is no undo.
 */
export async function destroyTranscription(
  { db, storage, worker }: Pick<Deps, "db" | "storage" | "worker">,
  { id, user_id: userId, recording_id: recordingId }: Pick<TranscriptionRow, "id" | "user_id" | "recording_id">,
): Promise<void> {
  const recordings = await db.transaction().execute(async (t) => {
    const made = await t
      .deleteFrom("recordings")
      .where("user_id", "=", userId)
      .where((eb) => eb.or([eb("transcription_id", "=", id), eb("recording_id", "=", recordingId ?? "")]))
      .returning("id")
      .execute();
    await t.deleteFrom("transcriptions").where("id", "=", id).execute();
    return made;
  });
  worker.check();
  await storage.removeAudio(id);
  await rm(storage.pcmPath(id), { force: true });
  for (const recording of recordings) await storage.removeLive(recording.id);
  await emptyLog(db);
}
