import { ApiError } from "#src/api/http.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { withOwnType } from "./media-type.ts";
import { VaultFailure, type VaultWorker } from "./worker.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The number of consecutive connection losses after which a download fails. */
const maxLosses = 4;
/** Collected data becomes blobs of this size (bytes), which the browser may keep on disk. */
const pieceBytes = 8 * 1024 * 1024;

interface Wanted {
  api: Pick<VaultApi, "content">;
  id: string;
  /** Size of the encrypted file in bytes. */
  size: number;
  signal: AbortSignal;
  /** Reports the bytes of the encrypted file received so far. */
  onBytes(bytes: number): void;
}

/** Streams the encrypted file; resumes after a lost connection. @throws ApiError */
async function* cipherOf({ api, id, size, signal, onBytes }: Wanted): AsyncGenerator<Bytes> {
  let at = 0;
  let losses = 0;
  while (at < size) {
    try {
      const { body } = await api.content(id, at, signal);
      const reader = body?.getReader();
      for (;;) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done || value === undefined) break;
        at += value.length;
        losses = 0;
        onBytes(at);
        yield new Uint8Array(value);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ApiError && error.status !== 0) throw error;
    }
    losses += 1;
    if (at < size && losses >= maxLosses) throw new ApiError(0, "network");
  }
}

/** Builds one Blob of many pieces without holding all of them in memory. */
function collector(type: string) {
  const pieces: Blob[] = [];
  let loose: Bytes[] = [];
  let size = 0;
  const bundle = () => {
    if (loose.length > 0) pieces.push(new Blob(loose));
    loose = [];
    size = 0;
  };
  return {
    add: (bytes: Bytes) => {
      if (bytes.length === 0) return;
      loose.push(bytes);
      size += bytes.length;
      if (size >= pieceBytes) bundle();
    },
    blob: () => {
      bundle();
      return new Blob(pieces, { type });
    },
  };
}

/** Fetches the encrypted file. @throws ApiError */
export async function fetchCipher(wanted: Wanted): Promise<Blob> {
  const collected = collector("application/octet-stream");
  for await (const bytes of cipherOf(wanted)) collected.add(bytes);
  return collected.blob();
}

/**
 * Passes on decrypted data in pieces. Its integrity is verified only when the promise resolves.
 * @throws ApiError, VaultFailure
 */
async function decrypted(wanted: Wanted, worker: VaultWorker, take: (plain: Bytes) => Promise<void>): Promise<void> {
  const { stream } = await worker.ask("beginDeciphering", {});
  for await (const bytes of cipherOf(wanted)) {
    await take(await worker.ask("writeCipher", { stream, bytes }, [bytes.buffer]));
  }
  await take(await worker.ask("endDeciphering", { stream }));
}

/**
 * Fetches and decrypts the audio.
 * @param type content type, used if the bytes do not reveal it
 * @throws ApiError; VaultFailure `tampered`, `locked`
 */
export async function fetchPlain(wanted: Wanted, worker: VaultWorker, type: string): Promise<Blob> {
  const collected = collector(type);
  await decrypted(wanted, worker, async (plain) => collected.add(plain));
  return withOwnType(collected.blob());
}

/**
 * Downloads the audio and compares it with the original. @throws ApiError; VaultFailure `different`, `tampered`,
 * `locked`
 */
export async function compare(wanted: Wanted, worker: VaultWorker, source: Blob): Promise<void> {
  let at = 0;
  await decrypted(wanted, worker, async (plain) => {
    const original = new Uint8Array(await source.slice(at, at + plain.length).arrayBuffer());
    if (!same(plain, original)) throw new VaultFailure("different");
    at += plain.length;
  });
  if (at !== source.size) throw new VaultFailure("different");
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
