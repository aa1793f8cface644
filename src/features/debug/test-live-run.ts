import * as v from "valibot";
import { ServerMessage, type SpeechLanguage, sampleRate } from "#contract/index.ts";
import { openMicrophone } from "#src/audio/microphone.ts";
import { messageOf } from "#src/audio/transport.ts";
import type { LiveLog } from "./test-log.ts";
import { framesOf, loadSound } from "./test-sound.ts";

/** The maximum number of unacknowledged frames when sending as fast as possible. */
const maxOnTheirWay = 250;

export interface LiveRunParts {
  /** ws:// or wss:// */
  url: string;
  token(signal: AbortSignal): Promise<string>;
  language: SpeechLanguage;
  pace: "real" | "fast";
  sound: { kind: "microphone" } | { kind: "file"; file: File | undefined };
  log: LiveLog;
  send(event: LiveRunEvent): void;
}

export type LiveRunEvent =
  | { type: "connection.opened" }
  | { type: "sound.ended" }
  | { type: "words.complete" }
  | { type: "connection.lost"; code: string };

/**
 * Starts one run: streams a recording to the server and logs every message.
 * @returns the controls of the run
 */
export function startLiveRun(parts: LiveRunParts): { stop(): void; close(): void } {
  const run = new Run(parts);
  void run.begin();
  return run;
}

class Run {
  readonly #parts: LiveRunParts;
  readonly #over = new AbortController();
  readonly #sound = new AbortController();
  readonly #leftAt: number[] = [];
  #socket: WebSocket | undefined;
  #begunAt = performance.now();
  #firstFrameAt = 0;
  #frames = 0;
  #confirmed = 0;
  #endSaid = false;
  #room: (() => void) | undefined;
  #code: string | undefined;

  constructor(parts: LiveRunParts) {
    this.#parts = parts;
  }

  /** Ends the audio and waits for the remaining words. */
  stop(): void {
    this.#sound.abort();
  }

  close(): void {
    this.#over.abort();
    this.#sound.abort();
    this.#socket?.close(1000);
  }

  async begin(): Promise<void> {
    const { log, token, url, language, sound } = this.#parts;
    const { signal } = this.#over;
    log.clear();
    try {
      const samples = sound.kind === "file" ? await loadSound(sound.file, signal) : undefined;
      const granted = await token(signal);
      signal.throwIfAborted();
      const socket = new WebSocket(url);
      this.#socket = socket;
      this.#begunAt = performance.now();
      const start = { type: "start", recordingId: crypto.randomUUID(), sourceLanguage: language };
      const listen = { signal };
      socket.addEventListener(
        "open",
        () => {
          socket.send(JSON.stringify({ ...start, token: granted }));
          this.#note("out", "start", JSON.stringify(start));
        },
        listen,
      );
      socket.addEventListener("message", ({ data }) => this.#hear(data, samples), listen);
      socket.addEventListener("close", ({ code }) => this.#lose(code), listen);
    } catch (error) {
      this.#fail(error);
    }
  }

  #hear(data: unknown, samples: Float32Array<ArrayBuffer> | undefined): void {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ServerMessage), data);
    const now = performance.now();
    const { log, send, pace } = this.#parts;
    this.#note("in", parsed.success ? parsed.output.type : "?", String(data));
    if (!parsed.success) return;
    const message = parsed.output;
    if (message.type === "ready" && this.#frames === 0) {
      send({ type: "connection.opened" });
      void this.#speak(samples);
    } else if (message.type === "ack") this.#confirm(message.ack, now);
    else if (message.type === "partial") {
      if (log.timings.get().firstPartial === null) log.measure({ firstPartial: now - this.#firstFrameAt });
      log.say(message.text);
    } else if (message.type === "final") {
      log.say("", message.segment.text);
      if (pace === "real") log.measure({ finalAfter: now - this.#firstFrameAt - message.segment.end * 1000 });
    } else if (message.type === "done") {
      this.close();
      send({ type: "words.complete" });
    } else if (message.type === "limit") this.#stopAtLimit(message.frames);
    else if (message.type === "error") this.#code = message.code;
  }

  /** @param frames number of frames that the server accepts; null while it still accepts frames in transit */
  #stopAtLimit(frames: number | null): void {
    this.stop();
    if (frames === null) return;
    this.#frames = frames;
    if (this.#endSaid) this.#sendEnd();
  }

  async #speak(samples: Float32Array<ArrayBuffer> | undefined): Promise<void> {
    this.#firstFrameAt = performance.now();
    try {
      if (samples === undefined) await this.#speakMicrophone();
      else await this.#speakFrames(framesOf(samples));
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#over.signal.aborted) return;
    this.#sendEnd();
    this.#parts.send({ type: "sound.ended" });
  }

  #sendEnd(): void {
    this.#endSaid = true;
    const end = JSON.stringify({ type: "end", frames: this.#frames });
    this.#socket?.send(end);
    this.#note("out", "end", end);
  }

  async #speakFrames(frames: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    let spoken = 0;
    for (const frame of frames) {
      spoken += frame.length / 2;
      if (this.#parts.pace === "real") await until(this.#firstFrameAt + (spoken * 1000) / sampleRate, this.#sound.signal);
      else await this.#hasRoom();
      if (this.#sound.signal.aborted) return;
      this.#send(frame);
    }
  }

  async #speakMicrophone(): Promise<void> {
    const microphone = await openMicrophone(this.#sound.signal);
    const ended = Promise.withResolvers<void>();
    this.#sound.signal.addEventListener("abort", () => ended.resolve(), { once: true });
    microphone.listen({ onFrame: (pcm) => this.#send(pcm), onLevel: () => {}, onLost: () => ended.resolve() });
    await ended.promise;
    microphone.close();
  }

  #send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(messageOf(this.#frames, frame));
    this.#leftAt[this.#frames] = performance.now();
    this.#note("out", "frame", `#${this.#frames}, ${frame.length} B`);
    this.#frames += 1;
    this.#parts.log.measure({ frames: this.#frames });
  }

  #confirm(ack: number, now: number): void {
    const left = this.#leftAt[ack - 1];
    for (let number = this.#confirmed; number < ack; number++) delete this.#leftAt[number];
    this.#confirmed = ack;
    this.#parts.log.measure({ confirmed: ack, ...(left === undefined ? {} : { roundTrip: now - left }) });
    this.#room?.();
  }

  async #hasRoom(): Promise<void> {
    while (this.#frames - this.#confirmed >= maxOnTheirWay && !this.#sound.signal.aborted) {
      const room = Promise.withResolvers<void>();
      this.#room = room.resolve;
      this.#sound.signal.addEventListener("abort", () => room.resolve(), { once: true });
      await room.promise;
    }
  }

  #note(way: "in" | "out", kind: string, text: string): void {
    this.#parts.log.add({ at: performance.now() - this.#begunAt, way, kind, text });
  }

  #lose(closeCode: number): void {
    this.#note("in", "close", String(closeCode));
    const code = this.#code ?? "network";
    this.close();
    this.#parts.send({ type: "connection.lost", code });
  }

  #fail(error: unknown): void {
    if (this.#over.signal.aborted) return;
    this.close();
    const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "internal";
    this.#parts.send({ type: "connection.lost", code });
  }
}

/** Resolves at the given time or when aborted. @param at same scale as performance.now() */
export async function until(at: number, signal: AbortSignal): Promise<void> {
  const wait = at - performance.now();
  if (wait <= 0 || signal.aborted) return;
  const over = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(wait))]);
  if (over.aborted) return;
  await new Promise((resolve) => over.addEventListener("abort", resolve, { once: true }));
}
