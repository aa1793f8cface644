import * as v from "valibot";
import { ReaderId } from "#contract/index.ts";
import { newId } from "#src/browser/new-id.ts";
import { storage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const key = "readerId";
/** Where the browser keeps nothing, the name lasts as long as the page. */
let made: string | undefined;

/** By which name somebody reads and reacts: the account's id, or one that this browser has made up and keeps. */
export function readerId(): string {
  const account = v.safeParse(ReaderId, currentUserId());
  if (account.success) return account.output;
  const kept = v.safeParse(ReaderId, storage.read(key) ?? made);
  if (kept.success) return kept.output;
  made = newId();
  storage.write(key, made);
  return made;
}
