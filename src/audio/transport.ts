import { closeCodes, type ErrorCode, ServerMessage } from "#contract/index.ts";
import { parsed } from "#src/browser/stored.ts";
import type { Captions } from "./captions.ts";
import { batchFrames, type FrameLog } from "./frame-log.ts";
import { recognizedForServer, secondsOf } from "./recognized-words.ts";

/** The maximum number of unconfirmed frames in flight: 40 s. */
const windowFrames = 500;
/** A server counts as unresponsive after this time of silence while confirmations are due (ms). */
export const ackTimeoutMs = 15_000;

/** What one connection sends to the machine. Nothing follows `lost`, `done` and `over`. */
export type ConnectionEvent =
  /** The server has opened the recording, and frames flow. */
  | { type: "connection.opened" }
  /** A sentence has become final, so the engine works. */
  | { type: "connection.advanced" }
  /** The month's free minutes are used up, and the server accepts no further audio. */
  | { type: "limit.reached"; silence?: boolean }
  /** The connection has ended; null: unknown reason. */
  | { type: "connection.lost"; code: ErrorCode | null }
  /** Every word is final. */
  | { type: "recording.done"; hasWords: boolean }
  /** The server has made a transcription by itself, and nothing is left to send. */
  | { type: "recording.over" };

export interface ConnectionParts {
  /** ws:// or wss:// */
  url: string;
  token(signal: AbortSignal): Promise<string>;
  frames: FrameLog;
  captions: Pick<Captions, "replace" | "addFinal" | "setPartial">;
  emit(event: ConnectionEvent): void;
  /** Epoch ms, or any other monotonic clock. */
  now(): number;
}

/**
 * One connection to the server for one recording. Sends the frames in order, from where the server expects them, and
 * passes on the results. The machine decides about reconnecting.
 */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #stop = new AbortController();
  #socket: WebSocket | undefined;
  /** The next frame to send, in this browser's numbering; undefined until the server is ready. */
  #cursor: number | undefined;
  /** The index of the next segment recognized by this browser to send. */
  #recognizedCursor = 0;
  #pumping = false;
  #pumpAgain = false;
  #endSaid = false;
  #heardAt: number;
  #code: ErrorCode | null = null;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#heardAt = parts.now();
    const unsubscribe = parts.frames.subscribe(() => void this.#pump());
    this.#stop.signal.addEventListener("abort", unsubscribe);
    void this.#open();
  }

  /** Whether an answer of the server is overdue. */
  isUnresponsive(): boolean {
    const { frames, now } = this.#parts;
    const owes = this.#cursor === undefined || frames.row.confirmed < Math.min(this.#cursor, frames.written);
    return owes && now() - this.#heardAt > ackTimeoutMs;
  }

  close(): void {
    this.#stop.abort();
    this.#socket?.close(1000);
  }

  async #open(): Promise<void> {
    const { url, token, frames } = this.#parts;
    const { signal } = this.#stop;
    try {
      const granted = await token(signal);
      if (signal.aborted) return;
      const { recordingId, sourceLanguage, targetLanguage, heardBy } = frames.row;
      const socket = new WebSocket(url);
      this.#socket = socket;
      const languages = { sourceLanguage, ...(targetLanguage && { targetLanguage }), ...(heardBy && { heardBy }) };
      const start = { type: "start", token: granted, recordingId, ...languages };
      socket.addEventListener("open", () => socket.send(JSON.stringify(start)), { signal });
      socket.addEventListener("message", ({ data }) => this.#hear(data), { signal });
      socket.addEventListener("close", ({ code }) => this.#end({ type: "connection.lost", code: this.#reason(code) }), {
        signal,
      });
    } catch (error) {
      this.#end({ type: "connection.lost", code: codeOfTokenFailure(error) });
    }
  }

  #reason(closeCode: number): ErrorCode | null {
    if (this.#code !== null) return this.#code;
    if (closeCode === closeCodes.unauthorized) return "unauthorized";
    if (closeCode === closeCodes.tooFast) return "tooManyRequests";
    if (closeCode === closeCodes.elsewhere) return "interrupted";
    return closeCode === closeCodes.badMessage ? "badRequest" : null;
  }

  #hear(data: unknown): void {
    const message = parsed(ServerMessage, data);
    if (message === null) return;
    this.#heardAt = this.#parts.now();
    const { captions, frames, emit } = this.#parts;
    if (message.type === "ready") this.#takeReady(message);
    else if (message.type === "ack") {
      frames.confirm(frames.row.base + message.ack);
      void this.#pump();
    } else if (message.type === "partial") captions.setPartial(message);
    else if (message.type === "final") {
      captions.addFinal(message.index, message.segment);
      emit({ type: "connection.advanced" });
    } else if (message.type === "limit") this.#takeLimit(message);
    else if (message.type === "done") {
      frames.confirm(frames.total ?? frames.written);
      captions.replace(message.segments);
      this.#end({ type: "recording.done", hasWords: message.segments.some(({ text }) => text.trim() !== "") });
    } else if (message.code === "gone" || message.code === "tooLarge") this.#takeGone();
    else {
      this.#code = message.code;
      if (message.code === "limitReached") frames.change({ overLimit: true });
    }
  }

  /**
   * @param message `frames`: the final number of frames that the server has accepted; null while it still accepts
   *   frames in flight
   */
  #takeLimit({ frames: taken, silence = false }: Extract<ServerMessage, { type: "limit" }>): void {
    const { frames, emit } = this.#parts;
    emit({ type: "limit.reached", ...(silence && { silence }) });
    if (taken === null) return;
    frames.cutAt(frames.row.base + taken);
    this.#cursor = frames.row.base + taken;
    this.#endSaid = false;
    void this.#pump();
  }

  #takeReady({ ack, segments }: Extract<ServerMessage, { type: "ready" }>): void {
    const { frames, captions, emit } = this.#parts;
    const wanted = frames.row.base + ack;
    // The server has lost frames that it had confirmed, and there is no other copy. The rest becomes a separate
    // recording.
    if (wanted < frames.row.confirmed) {
      this.#takeGone();
      return;
    }
    frames.skipTo(wanted);
    if (!frames.row.reached || frames.row.overLimit === true) frames.change({ reached: true, overLimit: false });
    this.#cursor = wanted;
    this.#recognizedCursor = segments.length;
    this.#endSaid = false;
    captions.replace(segments);
    emit({ type: "connection.opened" });
    void this.#pump();
  }

  /**
   * The server accepts no more frames of this recording: after a long pause it is already in the history, or it has
   * reached the size limit. The unconfirmed rest starts again.
   */
  #takeGone(): void {
    const { frames, captions } = this.#parts;
    const isOver = frames.captured !== null && frames.row.confirmed >= frames.captured;
    if (!isOver) {
      frames.restart();
      captions.replace([]);
    }
    this.#end(isOver ? { type: "recording.over" } : { type: "connection.lost", code: null });
  }

  async #pump(): Promise<void> {
    this.#pumpAgain = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#pumpAgain) {
        this.#pumpAgain = false;
        if (await this.#sendBatch()) this.#pumpAgain = true;
      }
    } finally {
      this.#pumping = false;
    }
  }

  /** @returns whether there may be more to do */
  async #sendBatch(): Promise<boolean> {
    const { frames } = this.#parts;
    const from = this.#cursor;
    if (from === undefined || this.#socket?.readyState !== WebSocket.OPEN || this.#stop.signal.aborted) return false;
    const room = frames.row.confirmed + windowFrames - from;
    const batch = room > 0 ? await frames.read(from, Math.min(room, batchFrames)) : [];
    // The recording was restarted or the connection was closed meanwhile.
    if (this.#cursor !== from) return true;
    if (this.#stop.signal.aborted) return false;
    batch.splice(Math.max(0, (frames.row.cut ?? Number.POSITIVE_INFINITY) - from));
    for (const [i, pcm] of batch.entries()) this.#socket.send(messageOf(from + i - frames.row.base, pcm));
    this.#cursor = from + batch.length;
    this.#sendRecognized();
    this.#sendEnd();
    return batch.length > 0;
  }

  /** Sends words only after their frames, because the server accepts no words for audio that it does not have. */
  #sendRecognized(): void {
    const { row, total } = this.#parts.frames;
    if (row.heardBy === undefined || this.#cursor === undefined) return;
    const sent = this.#cursor === total ? Number.POSITIVE_INFINITY : secondsOf(this.#cursor - row.base);
    for (const segment of recognizedForServer(row).slice(this.#recognizedCursor)) {
      if (segment.start > sent) return;
      this.#socket?.send(JSON.stringify({ type: "heard", index: this.#recognizedCursor++, segment }));
    }
  }

  #sendEnd(): void {
    const { total, row } = this.#parts.frames;
    if (total === null || this.#cursor !== total || this.#endSaid) return;
    this.#endSaid = true;
    this.#socket?.send(JSON.stringify({ type: "end", frames: total - row.base }));
  }

  #end(event: ConnectionEvent): void {
    if (this.#stop.signal.aborted) return;
    this.close();
    this.#parts.emit(event);
  }
}

/** Four bytes of sequence number, unsigned little-endian, then PCM (contract/dictation.ts). */
export function messageOf(number: number, pcm: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const message = new Uint8Array(4 + pcm.length);
  new DataView(message.buffer).setUint32(0, number, true);
  message.set(pcm, 4);
  return message.buffer;
}

/** The code for a failure to get a token: signed out, or null without an answer. */
function codeOfTokenFailure(error: unknown): ErrorCode | null {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  return status === 401 ? "unauthorized" : null;
}
