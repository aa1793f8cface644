import { openDB } from "idb";
import * as v from "valibot";
import { withTimeout } from "#src/browser/indexed-db.ts";
import type { PageStorage } from "#src/browser/storage.ts";

const Entries = v.pipe(v.string(), v.parseJson(), v.array(v.unknown()));
const Row = v.object({ id: v.string(), ownerId: v.string() });
const isOf = (ownerId: string) => (entry: unknown) => v.is(v.object({ ownerId: v.literal(ownerId) }), entry);

/** Removes from local storage what belongs to one person: under keys of theirs (`draft:{id}:…`), and their entries in lists of everybody's. */
export function clearLocalStorageOf(storage: PageStorage, ownerId: string): void {
  const theirs = isOf(ownerId);
  for (const key of storage.keys()) {
    if (key.split(":").includes(ownerId)) {
      storage.remove(key);
      continue;
    }
    const list = v.safeParse(Entries, storage.read(key));
    if (!list.success || !list.output.some(theirs)) continue;
    const others = list.output.filter((entry) => !theirs(entry));
    if (others.length === 0) storage.remove(key);
    else storage.write(key, JSON.stringify(others));
  }
}

/**
 * Removes from the browser's databases what belongs to one person: recordings, encrypted ones, files on their way; also what another
 * version of the page wrote and this one can't read. Each database has rows with an `id` and an `ownerId`, and what belongs to a row
 * under that id, or under keys that begin with it. Never rejects. A browser that takes too long is not waited for: it removes them when
 * it answers.
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
    // What belongs to rows can be large, and need not be read.
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
