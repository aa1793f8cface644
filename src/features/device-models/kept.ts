import { hexOf } from "#src/browser/hex.ts";
import { DeviceFailure } from "./failure.ts";
import { listFiles, type ModelFile, type ModelFiles, piecesOf } from "./files.ts";

// What this device keeps of a model: pieces in one cache, which the page writes and the worker reads.

const cacheName = "device-models";

/** The part of a cache that is used. */
export type Kept = Pick<Cache, "delete" | "keys" | "match" | "put">;

/** @throws DeviceFailure `noStorage` */
export async function openKept(): Promise<Kept> {
  try {
    return await caches.open(cacheName);
  } catch (error) {
    throw new DeviceFailure("noStorage", error);
  }
}

/** The addresses of the pieces that are kept; those of other files than these are deleted. */
export async function listKept(kept: Kept, files: ModelFiles): Promise<{ pieces: Set<string>; wasReplaced: boolean }> {
  const wanted = new Set(listFiles(files).flatMap(piecesOf));
  const pieces = new Set<string>();
  let wasReplaced = false;
  for (const request of await kept.keys()) {
    const { pathname, search } = new URL(request.url);
    const piece = pathname + search;
    if (wanted.has(piece)) pieces.add(piece);
    else {
      await kept.delete(request);
      wasReplaced = true;
    }
  }
  return { pieces, wasReplaced };
}

/** The content of a file, which is what the build has seen. @throws DeviceFailure `damaged` */
export async function readKept(kept: Kept, file: ModelFile): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = await Promise.all(piecesOf(file).map(async (piece) => (await kept.match(piece))?.blob()));
  const packed = new Blob(pieces.filter((piece) => piece !== undefined));
  if (packed.size !== file.bytes) throw new DeviceFailure("damaged");
  const content = await gunzip(packed);
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

/** Deletes everything that is kept. @throws DeviceFailure `storage` */
export async function deleteKept(): Promise<void> {
  await caches.delete(cacheName).catch((error: unknown) => {
    throw new DeviceFailure("storage", error);
  });
}
