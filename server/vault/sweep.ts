import type { Storage } from "#server/common/storage.ts";
import type { Db } from "#server/db/open.ts";
import { createVaultFiles } from "./files.ts";
import { allVaultItemIds, listUnfinishedItems, removeVaultItem } from "./queries.ts";

/** An item without new bytes for this long will not be completed: its page is gone (milliseconds). */
const unfinishedMs = 24 * 60 * 60 * 1000;
/** A folder without a row may belong to a row about to be committed (milliseconds, of the machine's clock). */
const orphanMs = 60 * 60 * 1000;

/** Deletes items that were never completed. */
export async function deleteUnfinishedItems({
  db,
  storage,
  now,
}: {
  storage: Storage;
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
}): Promise<void> {
  const files = createVaultFiles(storage);
  for (const { id } of await listUnfinishedItems(db, now() - unfinishedMs)) {
    await removeVaultItem(db, id);
    await files.remove(id);
  }
}

/** Deletes folders left without a row by a crash or an account's deletion. Called at startup. */
export async function sweepVaultFiles({ db, storage }: { db: Db; storage: Storage }): Promise<void> {
  const files = createVaultFiles(storage);
  const known = await allVaultItemIds(db);
  for (const { id, touchedAt } of await files.list()) {
    if (!known.has(id) && touchedAt < Date.now() - orphanMs) await files.remove(id);
  }
}
