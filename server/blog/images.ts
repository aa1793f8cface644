import { randomUUID } from "node:crypto";
import type { DbParts } from "#server/db/open.ts";
import { drawPicture } from "#server/http/draw-image.ts";
import type { Storage } from "#server/storage/storage.ts";
import { deleteIdleImages, deleteImage, insertImage } from "./image-queries.ts";

/** The stored size: twice as wide as a post's column. */
const shape = { width: 1600, height: 4800, fit: "inside", quality: 82 } as const;
/** Grace period of an unused picture, as its post may be unsaved (milliseconds). */
const idleMs = 14 * 24 * 60 * 60 * 1000;

interface Parts extends DbParts {
  storage: Pick<Storage, "blobs">;
}

/**
 * Pictures of posts: `blog-images/<id>.webp`, encoded again, so that nothing else in a file (place, time, scripts) is
 * stored.
 */
export interface BlogImages {
  write(id: string, picture: Uint8Array): Promise<void>;
  /** The picture; undefined for an unknown id. */
  read(id: string): Promise<Buffer | undefined>;
  remove(id: string): Promise<void>;
}

export function openBlogImages(storage: Pick<Storage, "blobs">): BlogImages {
  const pictures = storage.blobs("blog-images");
  return { ...pictures, read: async (id) => (/^[\da-f-]{36}$/.test(id) ? pictures.read(id) : undefined) };
}

/**
 * Stores a picture for a post.
 * @returns width and height in pixels
 * @throws Problem (http/draw-image.ts)
 */
export async function keepImage({ db, storage, now }: Parts, userId: string, picture: Buffer) {
  const { data, width, height } = await drawPicture(picture, shape, userId);
  const [id, at] = [randomUUID(), now()];
  const row = { id, type: "image/webp", width, height, size: data.length, user_id: userId, created_at: at, idle_since: at };
  // Before the file: after a crash the sweeper finds the row.
  await insertImage(db, row);
  try {
    await openBlogImages(storage).write(id, data);
  } catch (error) {
    await deleteImage(db, id);
    throw error;
  }
  return { id, width, height };
}

/** Deletes pictures that no post has used for two weeks. */
export async function sweepBlogImages({ db, storage, now }: Parts): Promise<void> {
  const images = openBlogImages(storage);
  for (const id of await deleteIdleImages(db, now() - idleMs)) await images.remove(id);
}
