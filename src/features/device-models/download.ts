import { DeviceFailure } from "./failure.ts";
import { downloadBytes, type ModelFile, pieceBytes, piecesOf } from "./files.ts";
import { type Kept, listStored } from "./kept.ts";

interface Download {
  kept: Kept;
  files: readonly ModelFile[];
  /** Requests a file. Resolves even if the server refuses. */
  ask(url: string, init: RequestInit): Promise<Response>;
  signal: AbortSignal;
  /** @param fraction downloaded part of all files, from 0 to 1 */
  onProgress(fraction: number): void;
}

/**
 * Downloads the missing pieces and stores each one as soon as it is complete. An interrupted download resumes after the
 * last stored piece.
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

/** The stored part of a model, in bytes of the download. */
export function keptBytes(files: readonly ModelFile[], pieces: ReadonlySet<string>): number {
  const sizes = files.flatMap((file) =>
    piecesOf(file).map((address, index) => (pieces.has(address) ? Math.min(pieceBytes, file.bytes - index * pieceBytes) : 0)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @throws DeviceFailure `noSpace` when the browser reports less free space than `bytes` */
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
  /** Index of the first missing piece. */
  first: number;
}

/** Yields the pieces of a file, beginning with `first`. A host that ignores the Range header sends the whole file. */
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
    // Cancels the rest of the download when the consumer stops reading.
    reader.cancel().catch(() => {});
  }
}

/** @throws DeviceFailure; the signal's reason */
async function request({ file: { url }, first, ask, signal }: Wanted): Promise<Response> {
  const start = first * pieceBytes;
  // `no-store`: otherwise the browser's HTTP cache would store the file a second time.
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
