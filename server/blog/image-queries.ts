import type { Insertable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { imageIdsIn } from "./image-address.ts";
import type { BlogImageTable } from "./tables.ts";

/** Adds a picture's row. @param image times in epoch ms, measures in pixels, size in bytes */
export async function insertImage(db: Db, image: Insertable<BlogImageTable>): Promise<void> {
  await db.insertInto("blog_images").values(image).execute();
}

/** Deletes a picture's row; the caller deletes its file. */
export async function deleteImage(db: Db, id: string): Promise<void> {
  await db.deleteFrom("blog_images").where("id", "=", id).execute();
}

/**
 * Records which pictures a post uses, in the transaction that changes it.
 * @param text all texts that may contain pictures
 */
export async function noteUses(t: Db, postId: string, text: string, at: number): Promise<void> {
  const before = await usedBy(t, [postId]);
  const named = imageIdsIn(text);
  const shown = named.length === 0 ? [] : await t.selectFrom("blog_images").select("id").where("id", "in", named).execute();
  if (before.length === 0 && shown.length === 0) return;
  await t.deleteFrom("blog_image_uses").where("post_id", "=", postId).execute();
  const uses = shown.map(({ id }) => ({ post_id: postId, image_id: id }));
  if (uses.length > 0) await t.insertInto("blog_image_uses").values(uses).execute();
  await settle(t, [...new Set([...before, ...shown.map(({ id }) => id)])], at);
}

/** Prepares the deletion of posts. @returns a function to be called after it, in the same transaction */
export async function idleWithout(t: Db, postIds: readonly string[], at: number): Promise<() => Promise<void>> {
  const images = await usedBy(t, postIds);
  return () => settle(t, images, at);
}

async function usedBy(t: Db, postIds: readonly string[]): Promise<string[]> {
  const rows = await t.selectFrom("blog_image_uses").select("image_id").distinct().where("post_id", "in", postIds).execute();
  return rows.map(({ image_id }) => image_id);
}

async function settle(t: Db, images: readonly string[], at: number): Promise<void> {
  if (images.length === 0) return;
  const inUse = t.selectFrom("blog_image_uses").select("image_id").where("image_id", "in", images);
  const these = t.updateTable("blog_images").where("id", "in", images);
  await these.set({ idle_since: null }).where("id", "in", inUse).execute();
  await these.set({ idle_since: at }).where("id", "not in", inUse).where("idle_since", "is", null).execute();
}

/** Deletes rows of pictures unused since before a time (epoch ms). @returns their ids: the caller deletes the files */
export async function deleteIdleImages(db: Db, before: number): Promise<string[]> {
  const due = db.selectFrom("blog_images").select("id").where("idle_since", "<=", before).limit(200);
  const gone = await db
    .deleteFrom("blog_images")
    .where("id", "in", due)
    .where("id", "not in", db.selectFrom("blog_image_uses").select("image_id"))
    .returning("id")
    .execute();
  return gone.map(({ id }) => id);
}
