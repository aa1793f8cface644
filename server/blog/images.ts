import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#server/db/open.ts";
import { drawPicture } from "#server/http/draw-image.ts";
import { deleteIdleImages, deleteImage, insertImage } from "./image-queries.ts";

/** The stored size: twice as wide as a post's column. */
const shape = { width: 1600, height: 4800, fit: "inside", quality: 82 } as const;
/** Grace period of an unused picture, as its post may be unsaved (milliseconds). */
const idleMs = 14 * 24 * 60 * 60 * 1000;

interface Parts {
  config: { dataDir: string };
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Pictures of posts: `<data>/blog-images/<id>.webp`, drawn anew, so that nothing else that a file holds (place, time, scripts) is
 * kept.
 */
export interface BlogImages {
  write(id: string, picture: Buffer): Promise<void>;
  /** The picture; undefined for an unknown id. */
  read(id: string): Promise<Buffer | undefined>;
  remove(id: string): Promise<void>;
}

/** @param dataDir absolute */
export function openBlogImages(dataDir: string): BlogImages {
  const folder = join(dataDir, "blog-images");
  const path = (id: string) => join(folder, `${id}.webp`);
  return {
    write: async (id, picture) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path(id), picture, { mode: 0o600, flush: true });
    },
    read: async (id) => (/^[\da-f-]{36}$/.test(id) ? readFile(path(id)).catch(() => undefined) : undefined),
    remove: (id) => rm(path(id), { force: true }),
  };
}

/**
 * Stores a picture for a post.
 * @returns width and height in pixels
 * @throws Problem (http/draw-image.ts)
 */
export async function keepImage({ db, config, now }: Parts, userId: string, picture: Buffer) {
  const { data, width, height } = await drawPicture(picture, shape);
  const [id, at] = [randomUUID(), now()];
  const row = { id, type: "image/webp", width, height, size: data.length, user_id: userId, created_at: at, idle_since: at };
  // Before the file: after a crash the sweeper finds the row.
  await insertImage(db, row);
  try {
    await openBlogImages(config.dataDir).write(id, data);
  } catch (error) {
    await deleteImage(db, id);
    throw error;
  }
  return { id, width, height };
}

/** Deletes pictures that no post has used for two weeks. */
export async function sweepBlogImages({ db, config, now }: Parts): Promise<void> {
  const images = openBlogImages(config.dataDir);
  for (const id of await deleteIdleImages(db, now() - idleMs)) await images.remove(id);
}
