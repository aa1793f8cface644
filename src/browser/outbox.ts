import * as v from "valibot";
import { type PageStorage, storage as pageStorage } from "./storage.ts";

/**
 * Entries that wait in this browser for the server. Several users may share the browser; each sees only their own
 * entries.
 */
export interface PersistedOutbox<Item extends { clientId: string }> {
  /** The signed-in user's entries. The same array as long as nothing changes. */
  list(): readonly Item[];
  /**
   * Replaces the entry with the same client id. @param ownerId may be signed out @returns false when storage is full
   */
  keep(item: Item, ownerId: string): boolean;
  drop(clientId: string): void;
  /** Whether any user has such an entry. */
  has(clientId: string): boolean;
  subscribe(listener: () => void): () => void;
}

interface PersistedOutboxOptions<Item> {
  /** The signed-in user's id; null: nobody. */
  owner(): string | null;
  storage?: PageStorage;
  /** The key in the browser's storage. */
  key: string;
  /** Validates a stored entry. */
  parse(entry: unknown): { ownerId: string; item: Item } | undefined;
  write(ownerId: string, item: Item): unknown;
  /** Whether new entries go first. */
  first: boolean;
}

/** Keeps entries of another version that this version can't read. */
export function createPersistedOutbox<Item extends { clientId: string }>(
  options: PersistedOutboxOptions<Item>,
): PersistedOutbox<Item> {
  const { storage = pageStorage, key, parse, write, first } = options;
  let read: string | null = null;
  let parsed: readonly unknown[] = [];
  let mine: readonly Item[] = [];
  let owner: string | null = null;

  const entries = (): readonly unknown[] => {
    const text = storage.read(key);
    if (text === read && owner === options.owner()) return parsed;
    read = text;
    owner = options.owner();
    parsed = parseList(text);
    mine = parsed.flatMap((entry) => {
      const stored = parse(entry);
      return stored !== undefined && stored.ownerId === owner ? [stored.item] : [];
    });
    return parsed;
  };
  const isOf = (entry: unknown, clientId: string) => parse(entry)?.item.clientId === clientId;
  return {
    list: () => {
      entries();
      return mine;
    },
    keep: (item, ownerId) => {
      const all = entries();
      const entry = write(ownerId, item);
      const at = first ? -1 : all.findIndex((other) => isOf(other, item.clientId));
      const others = all.filter((other) => !isOf(other, item.clientId));
      const next = at >= 0 ? all.with(at, entry) : first ? [entry, ...others] : [...others, entry];
      return storage.write(key, JSON.stringify(next));
    },
    drop: (clientId) => {
      const all = entries();
      const others = all.filter((entry) => !isOf(entry, clientId));
      if (others.length === 0) storage.remove(key);
      else if (others.length < all.length) storage.write(key, JSON.stringify(others));
    },
    has: (clientId) => entries().some((entry) => isOf(entry, clientId)),
    subscribe: (listener) => storage.subscribe(key, listener),
  };
}

function parseList(text: string | null): readonly unknown[] {
  try {
    return v.parse(v.array(v.unknown()), JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}
