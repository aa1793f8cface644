import { type FilingChange, filingLimits } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { findPlaced, isOwn, ownNamed, type Placing, replacePlaced } from "./queries.ts";

/** The result for one transcription: `tooManyAtOnce` if it would exceed the limit of tags. */
export type PlacingOutcome = "done" | "notFound" | "tooManyAtOnce";

/**
 * Checks that the folder and the tags are the person's. Call it in the transaction that uses them.
 * @throws Problem `notFound`
 */
export async function requireOwnFiling(t: Db, userId: string, { folderId, addTags = [] }: FilingChange): Promise<void> {
  const folders = folderId == null ? [] : [folderId];
  if ((await ownNamed(t, "folders", userId, folders)).length < folders.length)
    throw new Problem("notFound", "This folder does not exist.");
  const wanted = [...new Set(addTags)];
  if ((await ownNamed(t, "tags", userId, wanted)).length < wanted.length)
    throw new Problem("notFound", "This tag does not exist.");
}

/** Files one of a person's transcriptions; an unchanged one is not written. Call it in a transaction. */
export async function placeOne(t: Db, userId: string, id: string, placing: Placing): Promise<PlacingOutcome> {
  if (!(await isOwn(t, userId, id))) return "notFound";
  const before = await findPlaced(t, id);
  const { folderId = before.folder_id, favourite = before.favourite === 1, addTags, removeTags } = placing;
  const tags = new Set(before.tags);
  for (const tag of removeTags) tags.delete(tag);
  for (const tag of addTags) tags.add(tag);
  if (tags.size > Math.max(filingLimits.tagsOfOne, before.tags.length)) return "tooManyAtOnce";
  const isSame =
    folderId === before.folder_id &&
    favourite === (before.favourite === 1) &&
    tags.size === before.tags.length &&
    before.tags.every((tag) => tags.has(tag));
  if (!isSame) await replacePlaced(t, userId, id, { folder_id: folderId, favourite: favourite ? 1 : 0, tags: [...tags] });
  return "done";
}
