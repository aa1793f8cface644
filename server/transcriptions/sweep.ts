import type { DbParts } from "#server/db/open.ts";
import { deleteRecordingsAttachedTo } from "#server/dictation/queries.ts";
import type { Storage } from "#server/storage/storage.ts";
import { deleteTranscription } from "#server/transcription/queries.ts";
import { deleteTurnsOf } from "#server/translator/queries.ts";
import { listDue, notePendingDeletion } from "./trash-queries.ts";

interface Parts extends DbParts {
  storage: Storage;
}

/** Erases what has expired in the trash, or was deleted from it for good: row, voices, audio and pieces. */
export async function purgeTrash({ db, storage, now }: Parts): Promise<void> {
  await notePendingDeletion(db, now());
  for (;;) {
    const due = await listDue(db, now());
    for (const { id, user_id, client_id } of due) {
      // A crash in between leaves files without a row; `sweepFiles` removes them (processes/sweep-files.ts).
      await db.transaction().execute(async (t) => {
        await deleteRecordingsAttachedTo(t, id);
        await deleteTranscription(t, id);
        await deleteTurnsOf(t, user_id, client_id);
      });
      await storage.removeAudio(id);
      await storage.removePcm(id);
    }
    if (due.length === 0) return;
  }
}
