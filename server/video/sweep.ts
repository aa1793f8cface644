import { captionedMs } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import { deleteVideo, listPastCaptioned } from "./queries.ts";

const portion = 50;

interface Parts extends DbParts {
  storage: Pick<Storage, "videos">;
}

/** Deletes videos with captions a day after they were made: they are only meant for a download. */
export async function deletePastCaptioned({ db, now, storage }: Parts): Promise<void> {
  for (;;) {
    const past = await listPastCaptioned(db, now() - captionedMs, portion);
    for (const row of past) {
      // The file first: after a crash, the row still leads to it.
      await storage.videos.remove(row.transcription_id, "captioned");
      await db.transaction().execute(async (t) => {
        await deleteVideo(t, row);
        await noteAudioChange(t, row.transcription_id);
      });
    }
    if (past.length < portion) return;
  }
}
