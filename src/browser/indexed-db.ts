import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** In ms (SPEC.md section 9, "State persistence storage time-out"). Some browsers never finish opening a database. */
const openTimeoutMs = 5_000;

interface DatabaseOptions<Tables extends DBSchema> {
  name: string;
  /** Creates the object stores of a new database. */
  create(db: IDBPDatabase<Tables>): void;
  /** Timeout for opening the database (ms). */
  timeoutMs?: number | undefined;
}

/**
 * A database of this browser. Opened on first use, and again after it failed, the browser closed it, or it gave way to
 * a tab that deletes or upgrades it.
 * @returns a function that opens it; rejects when the browser denies access, and with a TimeoutError when it takes
 *   too long. After a timeout it rejects at once, until the browser has answered after all
 */
export function createDatabase<Tables extends DBSchema>(options: DatabaseOptions<Tables>): () => Promise<IDBPDatabase<Tables>> {
  let opened: Promise<IDBPDatabase<Tables>> | undefined;
  const release = () => {
    opened = undefined;
  };
  const begin = () => {
    const opening = openDB<Tables>(options.name, 1, {
      upgrade: (db) => options.create(db),
      blocking: (_current, _blocked, event) => {
        release();
        if (event.target instanceof IDBDatabase) event.target.close();
      },
      terminated: release,
    });
    opening.then(() => {
      opened = opening;
    }, release);
    return withTimeout(opening, options.timeoutMs);
  };
  return async () => {
    opened ??= begin();
    return opened;
  };
}

/** Resolves like `work`, but rejects with a TimeoutError after the timeout. The work itself continues. */
export async function withTimeout<Result>(work: Promise<Result>, timeoutMs = openTimeoutMs): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const signal = AbortSignal.timeout(timeoutMs);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}
