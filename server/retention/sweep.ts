import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import type { Storage } from "#server/storage/storage.ts";
import { changeTranscription } from "#server/transcription/queries.ts";
import { trashOne } from "#server/transcriptions/trash-queries.ts";
import { deleteNoted, type Kind, listDue, listFiles, noteEnding, noteFile } from "./queries.ts";

interface Parts extends DbParts {
  storage: Storage;
  log: Log;
}

/** Applies the retention rules of all users: erases audio, and moves transcriptions to the trash. */
export async function deleteByRules(parts: Parts): Promise<void> {
  const texts = await deleteDue(parts, "text");
  const sounds = await deleteDue(parts, "audio");
  await removeFiles(parts);
  if (texts + sounds > 0) parts.log.info("retention deleted", { texts, sounds });
}

/** @returns how many were deleted */
async function deleteDue({ db, now }: Parts, kind: Kind): Promise<number> {
  await noteEnding(db, kind, now());
  let count = 0;
  for (;;) {
    const due = await listDue(db, kind, now());
    for (const { id, user_id } of due) {
      await db.transaction().execute(async (t) => {
        // The transcription was moved into another folder, or started anew, in the meantime.
        if ((await listDue(t, kind, now(), id)).length === 0) return;
        await deleteNoted(t, id, kind);
        if (kind === "text") await trashOne(t, user_id, id, now());
        else {
          await changeTranscription(t, id, { audio_type: null });
          await noteFile(t, id, now());
        }
        count += 1;
      });
    }
    if (due.length === 0) return count;
  }
}

/** Also removes files that a crash, or a bucket that did not answer, has left behind. */
async function removeFiles({ db, storage }: Parts): Promise<void> {
  for (let ids = await listFiles(db); ids.length > 0; ids = await listFiles(db)) {
    for (const id of ids) {
      await storage.removeAudio(id);
      await storage.removePcm(id);
      await deleteNoted(db, id, "file");
    }
  }
}
