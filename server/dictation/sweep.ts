import type { Db } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { listUnattachedRecordingIds } from "./queries.ts";

/** Deletes this machine's copies of live dictations that have become transcriptions, here or elsewhere. */
export async function deleteLiveCopies({ db, storage }: { db: Db; storage: Pick<Storage, "liveCopies"> }): Promise<void> {
  const copies = await storage.liveCopies();
  if (copies.length === 0) return;
  const owned = new Set(await listUnattachedRecordingIds(db));
  for (const { id, remove } of copies) if (!owned.has(id)) await remove();
}
