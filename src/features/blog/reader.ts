import * as v from "valibot";
import { ReaderId } from "#contract/index.ts";
import { newId } from "#src/browser/new-id.ts";
import { type PageStorage, storage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const key = "readerId";

interface ReaderEnvironment {
  /** The id of the signed-in user; null: nobody is signed in. */
  owner(): string | null;
  storage: PageStorage;
}

/** @returns the reader's id: the account's id, or a random one that this browser keeps */
export function createReader({ owner, storage }: ReaderEnvironment): () => string {
  /** Without storage, the id lasts until the page is closed. */
  let made: string | undefined;
  return () => {
    const account = v.safeParse(ReaderId, owner());
    if (account.success) return account.output;
    const known = v.safeParse(ReaderId, storage.read(key) ?? made);
    if (known.success) return known.output;
    made = newId();
    storage.write(key, made);
    return made;
  };
}

/** The page's instance. */
export const readerId = createReader({ owner: currentUserId, storage });
