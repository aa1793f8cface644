import * as v from "valibot";
import { Reaction } from "#contract/index.ts";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import { readerId } from "./reader.ts";

const key = "blogReactions";
const most = 200;
/** `ownerId` is the common field by which the deletion of a user's data finds it. */
const Persisted = v.object({ ownerId: v.string(), postId: v.string(), reaction: Reaction });
const PersistedList = v.pipe(v.string(), v.parseJson(), v.array(v.unknown()));

/** The reader's own reactions, which the server does not return. This browser keeps the newest 200. */
export function createPersistedReactions(readerId: () => string, storage: PageStorage) {
  const entries = (): v.InferOutput<typeof Persisted>[] => {
    const list = v.safeParse(PersistedList, storage.read(key));
    if (!list.success) return [];
    return list.output.flatMap((entry) => {
      const parsed = v.safeParse(Persisted, entry);
      return parsed.success ? [parsed.output] : [];
    });
  };
  return {
    of: (postId: string): Reaction | null => {
      const ownerId = readerId();
      return entries().find((entry) => entry.postId === postId && entry.ownerId === ownerId)?.reaction ?? null;
    },
    keep(postId: string, reaction: Reaction | null): void {
      const ownerId = readerId();
      const others = entries().filter((entry) => entry.postId !== postId || entry.ownerId !== ownerId);
      const next = reaction === null ? others : [{ ownerId, postId, reaction }, ...others].slice(0, most);
      if (next.length === 0) storage.remove(key);
      else storage.write(key, JSON.stringify(next));
    },
  };
}

/** The page's instance. */
export const persistedReactions = createPersistedReactions(readerId, storage);
