import * as v from "valibot";
import { WebSocket } from "ws";
import { type Segment, ServerMessage } from "#contract/index.ts";
import { base } from "#tests/server/harness.ts";
import { spokenFifth } from "#tests/server/jobs/scripted.ts";

type Kind = ServerMessage["type"];
type Of<K extends Kind> = Extract<ServerMessage, { type: K }>;

/** A dictating page as the server sees it. */
export class Dictation {
  readonly recordingId: string;
  readonly messages: ServerMessage[] = [];
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  #changed = Promise.withResolvers<void>();
  readonly #read = new Map<Kind, number>();

  constructor(apiUrl: string, options: { recordingId?: string; origin?: string; answersPings?: boolean; path?: string } = {}) {
    this.recordingId = options.recordingId ?? crypto.randomUUID();
    const origin = options.origin === undefined ? {} : { origin: options.origin };
    const autoPong = options.answersPings ?? true;
    this.#socket = new WebSocket(`${apiUrl.replace("http", "ws")}${options.path ?? `${base}/realtime`}`, { ...origin, autoPong });
    this.closed = new Promise((resolve) => this.#socket.on("close", resolve));
    this.#socket.on("error", () => {});
    this.#socket.on("message", (data) => {
      this.messages.push(v.parse(v.pipe(v.string(), v.parseJson(), ServerMessage), String(data)));
      this.#notify();
    });
    this.#socket.on("close", () => this.#notify());
  }

  /** Connects, sends `start` and waits for `ready`. */
  static async start(apiUrl: string, token: string, recordingId?: string, more: object = {}): Promise<Dictation> {
    const dictation = new Dictation(apiUrl, recordingId === undefined ? {} : { recordingId });
    await dictation.open();
    dictation.say({ type: "start", token, recordingId: dictation.recordingId, sourceLanguage: "en", ...more });
    await dictation.next("ready");
    return dictation;
  }

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once("open", () => resolve());
      this.#socket.once("error", reject);
    });
  }

  say(message: object | string): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends frames with one sample value for each second: second `n` says the word `w<n>`. */
  sendFrames(from: number, to: number): void {
    for (let number = from; number < to; number++) this.#socket.send(frame(number));
  }

  /** Sends the same frames with a voice in them, because only spoken minutes count. */
  speak(from: number, to: number): void {
    for (let number = from; number < to; number++) this.#socket.send(spokenFrame(number));
  }

  sendBytes(bytes: Buffer): void {
    this.#socket.send(bytes);
  }

  /** Returns the next message of this kind that was not returned yet. */
  async next<K extends Kind>(kind: K, holds: (message: Of<K>) => boolean = () => true): Promise<Of<K>> {
    for (;;) {
      for (let i = this.#read.get(kind) ?? 0; i < this.messages.length; i++) {
        const message = this.messages[i];
        this.#read.set(kind, i + 1);
        if (message !== undefined && isOf(message, kind) && holds(message)) return message;
      }
      if (this.#socket.readyState === this.#socket.CLOSED) {
        throw new Error(`closed before ${kind}: ${JSON.stringify(this.messages)}`);
      }
      await this.#changed.promise;
    }
  }

  acked(frames: number): Promise<Of<"ack">> {
    return this.next("ack", ({ ack }) => ack >= frames);
  }

  /** Ends like a lost connection, without a close frame. */
  async cut(): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function isOf<K extends Kind>(message: ServerMessage, kind: K): message is Of<K> {
  return message.type === kind;
}

/** 200 ms of audio after a sequence number; each sample's value is the number of its second. */
export function frame(number: number): Buffer {
  const bytes = Buffer.alloc(4 + 6_400);
  bytes.writeUInt32LE(number);
  for (let i = 4; i < bytes.length; i += 2) bytes.writeInt16LE(Math.floor(number / 5), i);
  return bytes;
}

/** 200 ms of a voice; the first sample is the number of its second. */
function spokenFrame(number: number): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), spokenFifth()]);
  bytes.writeUInt32LE(number);
  bytes.writeInt16LE(Math.floor(number / 5), 4);
  return bytes;
}

/** The text that scripted engines recognize in this many seconds if nothing is lost or repeated. */
export function allWords(seconds: number): string {
  return Array.from({ length: seconds }, (_, i) => `w${i}`).join(" ");
}

export function textOf(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join(" ");
}
