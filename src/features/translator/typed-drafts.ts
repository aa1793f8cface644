import type { Side } from "#machines/translator/events.ts";
import { storage } from "#src/browser/storage.ts";

/** A user's drafts of typed turns. Persisted over reloads, and while other users are signed in. */
export interface TypedDrafts {
  get(side: Side): string;
  set(side: Side, text: string): void;
  subscribe(listener: () => void): () => void;
}

export function createTypedDrafts(ownerId: string): TypedDrafts {
  const keys = [0, 1].map((side) => `draft:${ownerId}:turn:${side}`);
  const keyOf = (side: Side) => keys[side] ?? "";
  return {
    get: (side) => storage.read(keyOf(side)) ?? "",
    set: (side, text) => {
      if (text === "") storage.remove(keyOf(side));
      else storage.write(keyOf(side), text);
    },
    subscribe: (listener) => {
      const ends = keys.map((key) => storage.subscribe(key, listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
