import type { Sharp } from "sharp";
import { Problem } from "#server/common/problem.ts";

/** A small file can stand for a picture that fills the memory: refused from its header on (pixels). */
const maxPixels = 40_000_000;
/** A picture that takes this long is no picture (seconds). */
const timeoutS = 20;
/** Pictures that wait for their turn, each with its bytes in memory. */
const maxWaiting = 16;

const loaders = ["Png", "Jpeg", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`);
const formats: ReadonlySet<string> = new Set(["png", "jpeg", "webp", "gif", "heif"]);

export interface DrawnPicture {
  /** WebP, without anything else that the file has held (place, time, scripts). */
  data: Buffer;
  /** In pixels. */
  width: number;
  height: number;
}

/** How large it becomes, in pixels: `inside` keeps all of it and never makes it larger, `cover` cuts it to exactly this. */
export interface DrawnShape {
  width: number;
  height: number;
  fit: "inside" | "cover";
  /** WebP's, 1 to 100. */
  quality: number;
}

/**
 * Draws a stranger's picture anew: upright, its first frame alone (what moves can't be stopped by who does not want it). The one place
 * where pictures are decoded, one after the other: each may need 200 MB for a moment.
 * @throws Problem `notImage` for what is no picture that can be read, `tooLarge` for too many pixels, `tooManyRequests` when too many
 *   wait already, `engineUnavailable` where the library does not run
 */
export function drawPicture(picture: Uint8Array, shape: DrawnShape): Promise<DrawnPicture> {
  if (waiting >= maxWaiting)
    throw new Problem("tooManyRequests", "Too many pictures are waiting. Try again.", { status: 503, retryAfter: 5 });
  waiting += 1;
  const done = turn
    .then(() => draw(picture, shape))
    .finally(() => {
      waiting -= 1;
    });
  turn = done.catch(() => undefined);
  return done;
}

let waiting = 0;
let turn: Promise<unknown> = Promise.resolve();

/** Loaded when the first picture comes: where it does not run, the rest of the product does. @throws Problem `engineUnavailable` */
async function openSharp() {
  const { default: sharp } = await import("sharp").catch((cause: unknown) => {
    throw new Problem("engineUnavailable", "The library for pictures (sharp) does not run here.", { cause });
  });
  // Of all that it reads, only what a page can use: no SVG, no PDF, no TIFF, nothing that may fetch or run something.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  // No picture comes twice, and one thread is enough for one at a time.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function draw(picture: Uint8Array, shape: DrawnShape): Promise<DrawnPicture> {
  const sharp = await openSharp();
  // Row by row, where the format lets it be: a picture that is made small is never whole in memory.
  const input = { failOn: "error", pages: 1, sequentialRead: true } as const;
  const { format, width, height } = await sharp(picture, { ...input, limitInputPixels: false })
    .metadata()
    .catch(unreadable);
  if (!formats.has(format)) throw new Problem("notImage");
  if (width * height > maxPixels) {
    throw new Problem("tooLarge", `The picture has more than ${maxPixels / 1_000_000} million pixels.`);
  }
  const { data, info } = await shaped(sharp(picture, { ...input, limitInputPixels: maxPixels }), shape)
    .timeout({ seconds: timeoutS })
    .toBuffer({ resolveWithObject: true })
    .catch(unreadable);
  return { data, width: info.width, height: info.height };
}

function shaped(picture: Sharp, { width, height, fit, quality }: DrawnShape): Sharp {
  return picture
    .autoOrient()
    .resize({ width, height, fit, withoutEnlargement: fit === "inside" })
    .webp({ quality, smartSubsample: true });
}

function unreadable(cause: unknown): never {
  throw new Problem("notImage", undefined, { cause });
}
