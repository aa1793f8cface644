import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** Milliseconds (SPEC.md section 9, "State persistence storage time-out"): some browsers never finish opening a database. */
const openTimeoutMs = 5_000;

interface DatabaseOptions<Tables extends DBSchema> {
  name: string;
  /** Creates the object stores of a new database. */
  create(db: IDBPDatabase<Tables>): void;
  /** Time-out for opening it, in milliseconds. */
  timeoutMs?: number | undefined;
}

/**
 * A database of this browser, opened on first use, and again after it failed, was closed by the browser or gave way to another
 * tab that deletes or upgrades it.
 * @returns the function that opens it; rejects when the browser denies access, and with a TimeoutError when it takes too long.
 * From then on it rejects at once until the browser answers after all.
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

/** The same result. Rejects with a TimeoutError after the time-out; the work itself goes on. */
export async function withTimeout<Result>(work: Promise<Result>, timeoutMs = openTimeoutMs): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const signal = AbortSignal.timeout(timeoutMs);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}
