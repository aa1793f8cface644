import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forgetIdleImages } from "../db/blog-images.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problem.ts";

/** Of a picture as it is shown, in pixels. */
const widthMost = 1600;
const heightMost = 4800;
/** A small file can stand for a picture that fills the memory: refused from its header on (pixels). */
const pixelsMost = 40_000_000;
/** A picture that takes this long is no picture (seconds). */
const patienceS = 20;
/** A picture that no post shows may belong to one that is being written (milliseconds). */
const idleMs = 14 * 24 * 60 * 60 * 1000;

type Parts = Pick<Deps, "db" | "config" | "now">;

const loaders = ["Png", "Jpeg", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`);
const formats: ReadonlySet<string> = new Set(["png", "jpeg", "webp", "gif", "heif"]);

/** Pictures of posts: `<data>/blog-images/<id>.webp`, drawn anew, so that nothing else that a file holds (place, time, scripts) is kept. */
export interface BlogImages {
  write(id: string, picture: Buffer): Promise<void>;
  /** undefined when there is none under this id. */
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
 * Keeps a picture for a post that will show it.
 * @returns width and height in pixels
 * @throws Problem `notImage` for what is no picture that can be read, `tooLarge` for too many pixels
 */
export async function keepImage({ db, config, now }: Parts, userId: string, picture: Buffer) {
  const { data, info } = await inTurn(() => draw(picture));
  const { width, height } = info;
  const [id, at] = [randomUUID(), now()];
  const row = { id, type: "image/webp", width, height, size: data.length, user_id: userId, created_at: at, idle_since: at };
  // Before the file: what a crash leaves is a row that the sweeper finds.
  await db.insertInto("blog_images").values(row).execute();
  try {
    await openBlogImages(config.dataDir).write(id, data);
  } catch (error) {
    await db.deleteFrom("blog_images").where("id", "=", id).execute();
    throw error;
  }
  return { id, width, height };
}

/** Loaded when the first picture comes: where it does not run, the rest of the product does. @throws Problem `engineUnavailable` */
async function openSharp() {
  const { default: sharp } = await import("sharp").catch((cause: unknown) => {
    throw new Problem("engineUnavailable", "The library for pictures (sharp) does not run here.", { cause });
  });
  // Of all that it reads, only what a post can use: no SVG, no PDF, nothing that may fetch or run something.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  return sharp;
}

/** One after the other: each may need hundreds of megabytes while it is drawn. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** As WebP without metadata, upright, its first frame alone (what moves can't be stopped by who does not want it). */
async function draw(picture: Buffer) {
  const sharp = await openSharp();
  const input = { limitInputPixels: false, failOn: "error", pages: 1 } as const;
  const { format, width, height } = await sharp(picture, input).metadata().catch(unreadable);
  if (!formats.has(format)) throw new Problem("notImage");
  if (width * height > pixelsMost) {
    throw new Problem("tooLarge", `The picture has more than ${pixelsMost / 1_000_000} million pixels.`);
  }
  return sharp(picture, { ...input, limitInputPixels: pixelsMost })
    .timeout({ seconds: patienceS })
    .autoOrient()
    .resize({ width: widthMost, height: heightMost, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 82, smartSubsample: true })
    .toBuffer({ resolveWithObject: true })
    .catch(unreadable);
}

function unreadable(cause: unknown): never {
  throw new Problem("notImage", undefined, { cause });
}

/** Takes away pictures that no post has shown for two weeks. */
export async function sweepBlogImages({ db, config, now }: Parts): Promise<void> {
  const images = openBlogImages(config.dataDir);
  for (const id of await forgetIdleImages(db, now() - idleMs)) await images.remove(id);
}
