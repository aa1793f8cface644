import { literal, nullable, object, safeParse } from "valibot";
import { UserProfile } from "#contract/index.ts";
import type { SessionToken, StoredSession } from "#machines/session/rules.ts";
import { type PageStorage, storageKeys } from "#src/browser/storage.ts";
import { clearPersistedState, clearToken } from "./clear-persisted-state.ts";
import { readToken } from "./jwt.ts";

/** SPEC.md sections 4 and 9: only the user is persisted, in version 1. */
const PersistedState = object({ version: literal(1), user: nullable(UserProfile) });

/** The session's persistence. Without storage (full, or disabled) the session lives as long as the page. */
export interface SessionStore {
  read(): StoredSession;
  persist(stored: StoredSession): void;
  persistUser(user: UserProfile): void;
  /** Removes the token alone. */
  clearToken(): void;
  /** Removes the token and all persisted state. */
  clearPersistedState(): void;
  /** Subscribes to changes made elsewhere. @returns the unsubscribe function */
  subscribe(listener: () => void): () => void;
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
      user: userOf(storage.read(storageKeys.persistRoot)),
    }),
    persist: ({ token, clockOffset, user }) =>
      quietly(() => {
        if (token === null) return clear(clearToken);
        // The offset first: subscribers of the token read it, too.
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
  };
}

function tokenOf(value: string | null): SessionToken | null {
  if (value === null) return null;
  try {
    return readToken(value);
  } catch {
    // Not in our format: treated as absent.
    return null;
  }
}

function offsetOf(value: string | null): number {
  const offset = Number(value ?? 0);
  return Number.isFinite(offset) ? offset : 0;
}

function userOf(value: string | null): UserProfile | null {
  if (value === null) return null;
  try {
    const state = safeParse(PersistedState, JSON.parse(value));
    return state.success ? state.output.user : null;
  } catch {
    return null;
  }
}
