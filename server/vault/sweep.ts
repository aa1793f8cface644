import type { Db } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { createVaultFiles } from "./files.ts";
import { findVaultItemIds, listUnfinishedItems, removeVaultItem } from "./queries.ts";

/** An item without new bytes for this long will never be complete: its page is gone (milliseconds). */
const unfinishedMs = 24 * 60 * 60 * 1000;
/** A younger folder without a row may belong to a row about to be committed (milliseconds of the machine's clock). */
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

/** Items whose rows are looked up at once. */
const portion = 500;

/**
 * Deletes folders left without a row by a crash or an account's deletion. Called at startup. @param signal ends it
 * between two portions
 */
export async function sweepVaultFiles({ db, storage }: { db: Db; storage: Storage }, signal?: AbortSignal): Promise<void> {
  const files = createVaultFiles(storage);
  let old = new Set<string>();
  const removeUnknown = async () => {
    signal?.throwIfAborted();
    const known = new Set(await findVaultItemIds(db, [...old]));
    for (const id of old) if (!known.has(id)) await files.remove(id);
    old = new Set();
  };
  for await (const { id, touchedAt } of files.list()) {
    if (touchedAt < Date.now() - orphanMs) old.add(id);
    if (old.size >= portion) await removeUnknown();
  }
  if (old.size > 0) await removeUnknown();
}
