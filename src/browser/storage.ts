/** The storage keys that SPEC.md names, and one of ours for the token. */
export const storageKeys = {
  token: "jwtToken",
  /** How far the server's clock is ahead of this device's (ms). */
  clockOffset: "jwtTokenClockOffset",
  redirectTo: "redirectTo",
  persistRoot: "persist:root",
  /** All keys with this prefix are removed when persisted auth data is cleared. */
  persistPrefix: "persist:",
} as const;

export interface PageStorage {
  /** Null when there is no value, or no storage. */
  read(key: string): string | null;
  /** @returns false when the storage is full or disabled, and nothing was stored */
  write(key: string, value: string): boolean;
  remove(key: string): void;
  keys(): string[];
  /** Subscribes to writes and removals of this key, from this tab and others. @returns the unsubscribe function */
  subscribe(key: string, listener: () => void): () => void;
}

/**
 * The browser's local storage, which may be full, disabled or forbidden. No function throws. The browser notifies other
 * tabs of a change; this tab gets an event of the same kind.
 */
export function createStorage(page: EventTarget & { readonly localStorage: Storage }): PageStorage {
  const attempt = <T>(work: (area: Storage) => T, otherwise: T): T => {
    try {
      return work(page.localStorage);
    } catch {
      return otherwise;
    }
  };
  const announce = (key: string, oldValue: string | null, newValue: string | null) => {
    page.dispatchEvent(new StorageEvent("storage", { key, oldValue, newValue }));
  };
  const read = (key: string) => attempt((area) => area.getItem(key), null);
  return {
    read,
    write: (key, value) => {
      const before = read(key);
      const written = attempt((area) => {
        area.setItem(key, value);
        return true;
      }, false);
      if (written) announce(key, before, value);
      return written;
    },
    remove: (key) => {
      const before = read(key);
      attempt((area) => area.removeItem(key), undefined);
      if (before !== null) announce(key, before, null);
    },
    keys: () => attempt((area) => Array.from({ length: area.length }, (_, index) => area.key(index) ?? ""), []),
    subscribe: (key, listener) => {
      // A null key means `localStorage.clear()`.
      const hear = (event: Event) => {
        if (event instanceof StorageEvent && (event.key === key || event.key === null)) listener();
      };
      page.addEventListener("storage", hear);
      return () => page.removeEventListener("storage", hear);
    },
  };
}

export const storage: PageStorage = createStorage(globalThis.window);
