import * as v from "valibot";
import { ReaderId } from "#contract/index.ts";
import { newId } from "#src/browser/new-id.ts";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const key = "readerId";

interface ReaderWorld {
  /** Who is signed in; null: nobody. */
  owner(): string | null;
  storage: PageStorage;
}

/** @returns by which name somebody reads and reacts: the account's id, or one that this browser has made up and keeps */
export function createReader({ owner, storage: kept }: ReaderWorld): () => string {
  /** Where the browser keeps nothing, the name lasts as long as the page. */
  let made: string | undefined;
  return () => {
    const account = v.safeParse(ReaderId, owner());
    if (account.success) return account.output;
    const known = v.safeParse(ReaderId, kept.read(key) ?? made);
    if (known.success) return known.output;
    made = newId();
    kept.write(key, made);
    return made;
  };
}

/** The page's own. */
export const readerId = createReader({ owner: currentUserId, storage });
