import { dropPersonalCaches } from "#src/browser/personal-cache.ts";
import { type PageStorage, storageKeys } from "#src/browser/storage.ts";

/** Removes the token, and the offset of the server's clock. */
export function clearToken(storage: PageStorage): void {
  storage.remove(storageKeys.clockOffset);
  storage.remove(storageKeys.token);
}

/**
 * Cleans up at the end of a session, also on a forced logout (SPEC.md section 4): all persisted state, personal caches
 * and the token.
 */
export function clearPersistedState(storage: PageStorage): void {
  const persistedKeys = () => storage.keys().filter((key) => key.startsWith(storageKeys.persistPrefix));
  for (const key of persistedKeys()) storage.remove(key);
  clearToken(storage);
  void dropPersonalCaches();
  if (persistedKeys().length > 0) console.warn("The browser's storage keeps what should be deleted from it.");
}
