import type { Db } from "#server/db/open.ts";
import { createVaultFiles } from "./files.ts";
import { allVaultItemIds, listUnfinishedItems, removeVaultItem } from "./queries.ts";

/** An item that has not grown for this long will never be whole: the page that sent it is gone (milliseconds). */
const unfinishedMs = 24 * 60 * 60 * 1000;
/** A folder that no row knows of may belong to a row that is about to be seen (milliseconds, of the machine's clock). */
const orphanMs = 60 * 60 * 1000;

/** Takes away what was begun and never came whole. */
export async function forgetUnfinishedItems({
  db,
  config,
  now,
}: {
  config: { dataDir: string };
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
}): Promise<void> {
  const files = createVaultFiles(config.dataDir);
  for (const { id } of await listUnfinishedItems(db, now() - unfinishedMs)) {
    await removeVaultItem(db, id);
    await files.remove(id);
  }
}

/** Takes away folders that a crash, or the end of an account, has left without a row. Called at the start. */
export async function sweepVaultFiles({ db, config }: { config: { dataDir: string }; db: Db }): Promise<void> {
  const files = createVaultFiles(config.dataDir);
  const known = await allVaultItemIds(db);
  for (const { id, touchedAt } of await files.list()) {
    if (!known.has(id) && touchedAt < Date.now() - orphanMs) await files.remove(id);
  }
}
