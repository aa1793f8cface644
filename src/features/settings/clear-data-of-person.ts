import { openDB } from "idb";
import * as v from "valibot";
import { withTimeout } from "#src/browser/indexed-db.ts";
import type { PageStorage } from "#src/browser/storage.ts";
import { parsed } from "#src/browser/stored.ts";

const Entries = v.array(v.unknown());
const Row = v.object({ id: v.string(), ownerId: v.string() });
const isOf = (ownerId: string) => (entry: unknown) => v.is(v.object({ ownerId: v.literal(ownerId) }), entry);

/**
 * Removes one user's data from local storage: keys with their id (`draft:{id}:…`), and their entries in shared lists.
 */
export function clearLocalStorageOf(storage: PageStorage, ownerId: string): void {
  const theirs = isOf(ownerId);
  for (const key of storage.keys()) {
    if (key.split(":").includes(ownerId)) {
      storage.remove(key);
      continue;
    }
    const list = parsed(Entries, storage.read(key));
    if (!list?.some(theirs)) continue;
    const others = list.filter((entry) => !theirs(entry));
    if (others.length === 0) storage.remove(key);
    else storage.write(key, JSON.stringify(others));
  }
}

/**
 * Removes one user's data from the browser's databases: recordings, encrypted audio, uploads. Also removes data of
 * another version of the page, which this one can't read. Each database has rows with an `id` and an `ownerId`; a row's
 * data is stored under that id, or under keys that begin with it. Never rejects. Does not wait for a slow browser,
 * which removes the data later.
 */
export async function clearDatabasesOf(ownerId: string): Promise<void> {
  const databases = await withTimeout(indexedDB.databases()).catch(() => []);
  const ours = databases.flatMap(({ name }) => (name?.startsWith("parlance-") ? [name] : []));
  await Promise.allSettled(ours.map((name) => withTimeout(clearDatabase(name, ownerId))));
}

async function clearDatabase(name: string, ownerId: string): Promise<void> {
  const db = await openDB(name);
  try {
    const stores = [...db.objectStoreNames];
    if (stores.length === 0) return;
    const transaction = db.transaction(stores, "readwrite");
    // The rows' data can be large and is not needed.
    const tables = stores.map((store) => transaction.objectStore(store)).filter(({ keyPath }) => keyPath !== null);
    const rows = await Promise.all(tables.map((table) => table.getAll()));
    const ids = rows.flat().flatMap((row) => (v.is(Row, row) && row.ownerId === ownerId ? [row.id] : []));
    const removals = stores.flatMap((store) =>
      ids.flatMap((id) => [
        transaction.objectStore(store).delete(id),
        transaction.objectStore(store).delete(IDBKeyRange.bound([id], [id, []])),
      ]),
    );
    await Promise.all([...removals, transaction.done]);
  } finally {
    db.close();
  }
}
