import type { VaultItem } from "#contract/index.ts";
import { ApiError } from "#src/api/http.ts";
import type { VaultApi } from "#src/api/vault.ts";
import type { VaultMeta } from "./meta.ts";
import { sealText, type VaultWorker } from "./worker.ts";

/**
 * Bytes of the first part and of the largest part. On a fast connection, each part is twice as large as the previous
 * one.
 */
const firstPart = 1024 * 1024;
const largestPart = 8 * 1024 * 1024;
/** If a part took less time than this (ms), the next one may be larger. */
const quickMs = 1500;

/** The content of a new item. */
export interface Parcel {
  /** A UUID for idempotence: the server stores a repeated id only once. */
  id: string;
  source: Blob;
  meta: VaultMeta;
  /** The transcription's text as JSON, or already encrypted; null when there is none. */
  text: string | Uint8Array<ArrayBuffer> | null;
  transcriptionId: string | null;
}

interface Parts {
  api: Pick<VaultApi, "begin" | "item" | "putPart" | "putText" | "remove">;
  worker: Pick<VaultWorker, "ask">;
  /** The age recipient. */
  recipient: string;
  now(): number;
  /** Bytes of the encrypted file that the server has confirmed. */
  onSent(bytes: number, size: number): void;
}

export type Sending = ReturnType<typeof createSending>;

/** One transfer. Keeps unconfirmed data, so that sending can resume at the server's offset. */
export function createSending(parcel: Parcel, { api, worker, recipient, now, onSent }: Parts) {
  let stream: { stream: number; size: number } | undefined;
  let item: VaultItem | undefined;
  let textSent = false;
  /** The current part, and its offset in the file. */
  let part = new Uint8Array(0);
  let partStart = 0;
  let partSize = firstPart;

  const begin = async (signal: AbortSignal): Promise<VaultItem> => {
    stream ??= await worker.ask("beginEnciphering", { recipient, source: parcel.source });
    const { id: clientId, transcriptionId } = parcel;
    const meta = await worker.ask("seal", { recipient, text: JSON.stringify(parcel.meta) });
    const wanted = { clientId, transcriptionId, meta, size: stream.size };
    const begun = await api.begin(wanted, signal);
    if (begun.arrivedAt !== null || begun.received === 0) return begun;
    // A partial item of an earlier page. Its bytes differ from ours, because encryption is randomized.
    await api.remove(begun.id, signal);
    return api.begin(wanted, signal);
  };
  const sendText = async (id: string, text: NonNullable<Parcel["text"]>, signal: AbortSignal) => {
    await api.putText(id, typeof text === "string" ? await sealText(worker, recipient, text) : text, signal);
    textSent = true;
  };
  /** The server may have received more than it has confirmed, if an answer was lost. */
  const takeUp = (now: VaultItem) => {
    const confirmed = now.received - partStart;
    if (confirmed < 0 || confirmed > part.length) throw new ApiError(409, "conflict");
    part = part.subarray(confirmed);
    partStart = now.received;
    item = now;
    onSent(now.received, now.size);
  };
  const sendPart = async (id: string, signal: AbortSignal) => {
    const from = now();
    if (part.length === 0) part = await worker.ask("readCipher", { stream: stream?.stream ?? 0, most: partSize });
    if (part.length === 0) throw new ApiError(409, "conflict");
    const whole = part.length === partSize;
    try {
      takeUp(await api.putPart(id, partStart, part, signal));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "conflict") throw error;
      takeUp(await api.item(id, signal));
    }
    if (whole && now() - from < quickMs) partSize = Math.min(largestPart, partSize * 2);
  };
  return {
    /** Sends the rest. @returns the complete item. @throws ApiError, VaultFailure */
    run: async (signal: AbortSignal): Promise<VaultItem> => {
      if (item === undefined) item = await begin(signal);
      else takeUp(await api.item(item.id, signal));
      while (item.arrivedAt === null) {
        if (parcel.text !== null && !textSent) await sendText(item.id, parcel.text, signal);
        await sendPart(item.id, signal);
        signal.throwIfAborted();
      }
      if (stream !== undefined) await worker.ask("endEnciphering", { stream: stream.stream });
      return item;
    },
    /** Deletes the partial item from the server. */
    discard: async (signal: AbortSignal) => {
      if (stream !== undefined) worker.ask("endEnciphering", { stream: stream.stream }).catch(() => {});
      if (item !== undefined) await api.remove(item.id, signal);
    },
  };
}
