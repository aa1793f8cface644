import type { Sharp } from "sharp";
import { Problem } from "#server/errors/problem.ts";
import { queues } from "#server/threads/queues.ts";
import { Slots } from "#server/threads/slots.ts";

/** Larger images are refused by their header (pixels): a small file can decode to an image that fills the memory. */
const maxPixels = 40_000_000;

const loaders = ["Png", "Jpeg", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`);
const formats: ReadonlySet<string> = new Set(["png", "jpeg", "webp", "gif", "heif"]);

export interface DrawnPicture {
  /** WebP, without the file's metadata (location, time, scripts). */
  data: Buffer;
  /** Pixels. */
  width: number;
  height: number;
}

/**
 * The resulting size, in pixels: `inside` keeps the whole image and never enlarges it, `cover` crops to exactly this
 * size.
 */
export interface DrawnShape {
  width: number;
  height: number;
  fit: "inside" | "cover";
  /** WebP quality, 1 to 100. */
  quality: number;
}

/**
 * Re-encodes an untrusted image: upright, first frame only (the viewer can't stop animations). All images are decoded
 * here, in turns.
 * @param person who uploaded it
 * @throws Problem `notImage` for an unreadable image, `tooLarge` for too many pixels, `tooManyAtOnce` if too many
 *   images of this person wait, `engineUnavailable` if the library does not run
 */
export function drawPicture(picture: Uint8Array, shape: DrawnShape, person: string): Promise<DrawnPicture> {
  return slots.run(endless, () => draw(picture, shape), { person });
}

const slots = new Slots(queues.pictures);
const endless = new AbortController().signal;

/** Opened once: nothing may be drawn while the library is set up. */
let opened: ReturnType<typeof openSharp> | undefined;

/**
 * Loaded with the first image, so that the product works without the library.
 * @throws Problem `engineUnavailable`
 */
async function openSharp() {
  const { default: sharp } = await import("sharp").catch((cause: unknown) => {
    throw new Problem("engineUnavailable", "The image library (sharp) does not run on this machine.", { cause });
  });
  // Only the formats of the web: no SVG, PDF or TIFF, nothing that may fetch or execute something.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders });
  // Images don't repeat, and one thread is enough for each.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function draw(picture: Uint8Array, shape: DrawnShape): Promise<DrawnPicture> {
  opened ??= openSharp();
  const sharp = await opened;
  // Row by row, if the format allows it: an image to be shrunk is never in memory as a whole.
  const input = { failOn: "error", pages: 1, sequentialRead: true } as const;
  const { format, width, height } = await sharp(picture, { ...input, limitInputPixels: false })
    .metadata()
    .catch(unreadable);
  if (!formats.has(format)) throw new Problem("notImage");
  if (width * height > maxPixels) {
    throw new Problem("tooLarge", `The picture has more than ${maxPixels / 1_000_000} million pixels.`);
  }
  const { data, info } = await shaped(sharp(picture, { ...input, limitInputPixels: maxPixels }), shape)
    .timeout({ seconds: queues.pictures.timeoutMs / 1000 })
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
