import { DeviceFailure } from "./failure.ts";
import { downloadBytes, type ModelFile, pieceBytes, piecesOf } from "./files.ts";
import { type Kept, listStored } from "./kept.ts";

interface Download {
  kept: Kept;
  files: readonly ModelFile[];
  /** Asks for a file. An answer that refuses it is no error. */
  ask(url: string, init: RequestInit): Promise<Response>;
  signal: AbortSignal;
  /** @param fraction how much of everything is here, from 0 to 1 */
  onProgress(fraction: number): void;
}

/**
 * Downloads the pieces that are missing, and stores each as soon as it is whole: what is interrupted goes on after the last one.
 * @throws DeviceFailure `network`, `gone` (the server has another version), `noSpace`
 */
export async function download({ kept, files, ask, signal, onProgress }: Download): Promise<void> {
  const { pieces } = await listStored(kept, files);
  const total = downloadBytes(files);
  let done = keptBytes(files, pieces);
  onProgress(done / total);
  await checkSpace(total - done);
  for (const file of files) {
    const addresses = piecesOf(file);
    const first = addresses.findIndex((address) => !pieces.has(address));
    if (first === -1) continue;
    for await (const { index, bytes } of receive({ file, first, ask, signal })) {
      const address = addresses[index];
      if (address === undefined) throw new DeviceFailure("gone");
      if (pieces.has(address)) continue;
      await store(kept, address, bytes);
      done += bytes.length;
      onProgress(done / total);
    }
  }
}

/** How much of a model is kept, in bytes of the download. */
export function keptBytes(files: readonly ModelFile[], pieces: ReadonlySet<string>): number {
  const sizes = files.flatMap((file) =>
    piecesOf(file).map((address, index) => (pieces.has(address) ? Math.min(pieceBytes, file.bytes - index * pieceBytes) : 0)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @throws DeviceFailure `noSpace` when the browser says that so many bytes find no room */
async function checkSpace(bytes: number): Promise<void> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate().catch(() => undefined)) ?? {};
  if (quota !== undefined && quota - usage < bytes) throw new DeviceFailure("noSpace");
}

interface Piece {
  index: number;
  bytes: Uint8Array<ArrayBuffer>;
}

interface Wanted extends Pick<Download, "ask" | "signal"> {
  file: ModelFile;
  /** The first piece that is missing. */
  first: number;
}

/** The pieces of a file from one of them on. A host that ignores the range sends all of them. */
async function* receive(wanted: Wanted): AsyncGenerator<Piece> {
  const { file, first, signal } = wanted;
  const answer = await request(wanted);
  const reader = answer.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal }).getReader();
  if (reader === undefined) throw new DeviceFailure("network");
  let index = answer.status === 206 ? first : 0;
  let begun = 0;
  let piece = new Uint8Array(pieceBytes);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => failed(error, signal));
      if (done) break;
      for (let taken = 0; taken < value.length; ) {
        const part = value.subarray(taken, taken + pieceBytes - begun);
        piece.set(part, begun);
        begun += part.length;
        taken += part.length;
        if (begun < pieceBytes) continue;
        yield { index, bytes: piece };
        index += 1;
        begun = 0;
        piece = new Uint8Array(pieceBytes);
      }
    }
    const arrived = index * pieceBytes + begun;
    if (arrived !== file.bytes) throw new DeviceFailure(arrived < file.bytes ? "network" : "gone");
    if (begun > 0) yield { index, bytes: piece.subarray(0, begun) };
  } finally {
    // What nobody reads need not arrive.
    reader.cancel().catch(() => {});
  }
}

/** @throws DeviceFailure; the signal's reason */
async function request({ file: { url }, first, ask, signal }: Wanted): Promise<Response> {
  const start = first * pieceBytes;
  // Kept once: not by the browser's own cache, too.
  const answer = await ask(url, { headers: { Range: `bytes=${start}-` }, cache: "no-store", signal }).catch((error: unknown) =>
    failed(error, signal),
  );
  if (answer.status === 200) return answer;
  if (answer.status === 206 && answer.headers.get("Content-Range")?.startsWith(`bytes ${start}-`) === true) return answer;
  throw new DeviceFailure(answer.status === 404 || answer.status === 410 || answer.status === 416 ? "gone" : "network");
}

function failed(error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  throw new DeviceFailure("network", error);
}

async function store(kept: Kept, address: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await kept.put(address, new Response(bytes));
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    throw new DeviceFailure(isFull ? "noSpace" : "storage", error);
  }
}
