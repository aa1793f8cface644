import { literal, nullable, object } from "valibot";
import { UserProfile } from "#contract/index.ts";
import type { SessionToken, StoredSession } from "#machines/session/rules.ts";
import { dropPersonalCaches } from "#src/browser/personal-cache.ts";
import { type PageStorage, storageKeys } from "#src/browser/storage.ts";
import { parsed } from "#src/browser/stored.ts";
import { readToken } from "./jwt.ts";

/** SPEC.md sections 4 and 9: only the user is persisted, as version 1. */
const PersistedState = object({ version: literal(1), user: nullable(UserProfile) });

/** The session's storage. If storage is full or disabled, the session lives as long as the page. */
export interface SessionStore {
  read(): StoredSession;
  persist(stored: StoredSession): void;
  persistUser(user: UserProfile): void;
  /** Removes only the token. */
  clearToken(): void;
  /** Removes the token and all persisted state. */
  clearPersistedState(): void;
  /** Subscribes to changes of the token by other tabs. @returns the unsubscribe function */
  subscribe(listener: () => void): () => void;
  /** Subscribes to changes of the user by other tabs. @returns the unsubscribe function */
  subscribeUser(listener: () => void): () => void;
}

export function createSessionStore(storage: PageStorage): SessionStore {
  let inMemory: SessionToken | null = null;
  let writing = false;
  const quietly = (work: () => void) => {
    writing = true;
    work();
    writing = false;
  };
  const clear = (work: (storage: PageStorage) => void) =>
    quietly(() => {
      inMemory = null;
      work(storage);
    });
  const persistUser = (user: UserProfile | null) => {
    storage.write(storageKeys.persistRoot, JSON.stringify({ version: 1, user }));
  };
  return {
    read: () => ({
      token: inMemory ?? tokenOf(storage.read(storageKeys.token)),
      clockOffset: offsetOf(storage.read(storageKeys.clockOffset)),
      user: parsed(PersistedState, storage.read(storageKeys.persistRoot))?.user ?? null,
    }),
    persist: ({ token, clockOffset, user }) =>
      quietly(() => {
        if (token === null) return clear(clearToken);
        // Writes the offset first, because subscribers of the token also read it.
        storage.write(storageKeys.clockOffset, String(clockOffset));
        inMemory = storage.write(storageKeys.token, token.value) ? null : token;
        persistUser(user);
      }),
    persistUser: (user) => quietly(() => persistUser(user)),
    clearToken: () => clear(clearToken),
    clearPersistedState: () => clear(clearPersistedState),
    subscribe: (listener) =>
      storage.subscribe(storageKeys.token, () => {
        if (writing) return;
        inMemory = null;
        listener();
      }),
    subscribeUser: (listener) => storage.subscribe(storageKeys.persistRoot, () => writing || listener()),
  };
}

function tokenOf(value: string | null): SessionToken | null {
  if (value === null) return null;
  try {
    return readToken(value);
  } catch {
    // Data in another format counts as absent.
    return null;
  }
}

function offsetOf(value: string | null): number {
  const offset = Number(value ?? 0);
  return Number.isFinite(offset) ? offset : 0;
}

function clearToken(storage: PageStorage): void {
  storage.remove(storageKeys.clockOffset);
  storage.remove(storageKeys.token);
}

/** Cleans up at the end of a session, including a forced logout (SPEC.md section 4). */
function clearPersistedState(storage: PageStorage): void {
  const persistedKeys = () => storage.keys().filter((key) => key.startsWith(storageKeys.persistPrefix));
  for (const key of persistedKeys()) storage.remove(key);
  clearToken(storage);
  void dropPersonalCaches();
  if (persistedKeys().length > 0) console.warn("The browser's storage keeps what should be deleted from it.");
}
