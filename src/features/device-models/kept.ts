import { hexOf } from "#src/browser/hex.ts";
import { DeviceFailure } from "./failure.ts";
import { type ModelFile, piecesOf } from "./files.ts";

// A model on this device: pieces in a Cache of its own, which the page writes and the worker reads. The worker's script
// is in the same Cache, where the service worker finds it without a network.

/** The Cache of the speech recognition model. */
export const recogniserCache = "device-models";

/** The part of the Cache interface that is used here. */
export type Kept = Pick<Cache, "delete" | "keys" | "match" | "put">;

/** @throws DeviceFailure `noStorage` */
export async function openStored(name: string): Promise<Kept> {
  try {
    return await caches.open(name);
  } catch (error) {
    throw new DeviceFailure("noStorage", error);
  }
}

/** Lists the stored pieces of these files, and deletes the pieces of other files. */
export async function listStored(
  kept: Kept,
  files: readonly ModelFile[],
): Promise<{ pieces: Set<string>; wasReplaced: boolean }> {
  const wanted = new Set(files.flatMap(piecesOf));
  const pieces = new Set<string>();
  let wasReplaced = false;
  for (const request of await kept.keys()) {
    const piece = pathOf(request);
    if (wanted.has(piece)) pieces.add(piece);
    else if (isPiece(request)) {
      await kept.delete(request);
      wasReplaced = true;
    }
  }
  return { pieces, wasReplaced };
}

/**
 * Stores the worker's script of this build, and deletes those of other builds.
 * @throws TypeError without a network
 */
export async function keepScript(kept: Kept, url: string): Promise<void> {
  if ((await kept.match(url)) !== undefined) return;
  const script = await fetch(url);
  if (!script.ok) return;
  await kept.put(url, script);
  for (const request of await kept.keys()) if (!isPiece(request) && pathOf(request) !== url) await kept.delete(request);
}

function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const isPiece = ({ url }: Request): boolean => new URL(url).searchParams.has("piece");

/** Reads a file and verifies its hash. @throws DeviceFailure `damaged` */
export async function readStored(kept: Kept, file: ModelFile): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = await Promise.all(piecesOf(file).map(async (piece) => (await kept.match(piece))?.blob()));
  const packed = new Blob(pieces.filter((piece) => piece !== undefined));
  if (packed.size !== file.bytes) throw new DeviceFailure("damaged");
  const content = file.isGzipped ? await gunzip(packed) : new Uint8Array(await packed.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  if (hexOf(digest) !== file.sha256) throw new DeviceFailure("damaged");
  return content;
}

async function gunzip(packed: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  } catch (error) {
    throw new DeviceFailure("damaged", error);
  }
}

/** Deletes everything stored for a model. @throws DeviceFailure `storage` */
export async function deleteStored(name: string): Promise<void> {
  await caches.delete(name).catch((error: unknown) => {
    throw new DeviceFailure("storage", error);
  });
}
