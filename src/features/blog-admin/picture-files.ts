import type { DBSchema, IDBPDatabase } from "idb";
import { createDatabase } from "#src/browser/indexed-db.ts";

interface PersistedPicture {
  id: string;
  ownerId: string;
  /** Epoch ms. */
  at: number;
  file: File;
}

interface Tables extends DBSchema {
  pictures: { key: string; value: PersistedPicture };
}

/** Older pictures are deleted (ms). */
const lifeMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Persists the pictures of posts over reloads until the server has them. No function rejects: a failure persists
 * nothing.
 * @param now epoch ms
 * @param name of the database
 * @param timeoutMs limit for opening the database
 */
export function createPictureFiles(now: () => number, name = "parlance-pictures", timeoutMs?: number) {
  const open = createDatabase<Tables>({
    name,
    create: (db) => void db.createObjectStore("pictures", { keyPath: "id" }),
    timeoutMs,
  });
  const attempt = async <T>(work: (db: IDBPDatabase<Tables>) => Promise<T>): Promise<T | undefined> => {
    try {
      return await work(await open());
    } catch {
      return undefined;
    }
  };
  const sweep = async (db: IDBPDatabase<Tables>) => {
    const old = (await db.getAll("pictures")).filter(({ at }) => at < now() - lifeMs);
    await Promise.all(old.map(({ id }) => db.delete("pictures", id)));
  };
  return {
    keep: async (id: string, ownerId: string, file: File) => {
      await attempt(async (db) => {
        await sweep(db);
        await db.put("pictures", { id, ownerId, at: now(), file });
      });
    },
    recall: async (id: string, ownerId: string) => {
      const persisted = await attempt((db) => db.get("pictures", id));
      return persisted?.ownerId === ownerId ? persisted.file : undefined;
    },
    remove: async (id: string) => {
      await attempt((db) => db.delete("pictures", id));
    },
  };
}
