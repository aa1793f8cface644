import { closeCodes, type ErrorCode, maxFrameBytes, type Segment, type ServerMessage, tryOutSeconds } from "#contract/index.ts";
import { Feeder } from "#server/dictation/feeder.ts";
import { sentenceOf } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { type EngineChoice, type Punctuator, SpeechError } from "#server/speech/index.ts";
import type { Translation } from "#server/translation/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { write } from "#speech/written/write.ts";

const maxBytes = tryOutSeconds * pcmRate * 2;
/** Most frames: 375 frames of 80 ms are enough. Each frame costs the same, however short. */
const maxFrames = 2_000;

interface TryParts {
  choice: EngineChoice;
  punctuator: Punctuator;
  translation: Pick<Translation, "translate">;
  /** Undefined: nothing is translated. */
  into: { source: string; target: string } | undefined;
  /** The visitor's network. */
  person: string;
  log: Log;
  send(message: ServerMessage): void;
  close(code: number): void;
}

/** A dictation without an account. It exists in memory while the connection lasts, and nothing is stored. */
export class TrySession {
  readonly #parts: TryParts;
  readonly #sound = Buffer.alloc(maxBytes);
  readonly #feeder: Feeder;
  readonly #feeding: Promise<void>;
  readonly #segments: Segment[] = [];
  readonly #translating: Promise<void>[] = [];
  readonly #stop = new AbortController();
  #frames = 0;
  #bytes = 0;
  #isFull = false;
  #isOver = false;

  constructor(parts: TryParts) {
    this.#parts = parts;
    const { choice, punctuator, person } = parts;
    const samples = () => this.#bytes / 2;
    const sound = this.#sound;
    this.#feeder = new Feeder({
      choice,
      person,
      vocabulary: [],
      file: {
        get samples() {
          return samples();
        },
        read: async (from, count) => sound.subarray(from * 2, Math.min(from + count, samples()) * 2),
      },
      fromSample: 0,
      onPartial: parts.send,
      onFinal: async (segment) => {
        const wording = { replace: () => [], language: choice.language, punctuator, person };
        for (const written of await write([segment], wording)) {
          const index = this.#segments.length;
          this.#segments.push(written);
          parts.send({ type: "final", index, segment: written });
          this.#translating.push(this.#translate(index, written));
        }
      },
    });
    this.#feeding = this.#feeder.run();
    this.#feeding.catch((error: unknown) => this.#giveUp(error));
    parts.send({ type: "ready", ack: 0, segments: [] });
  }

  /** Four bytes of sequence number, then PCM (contract/dictation.ts). Audio beyond the limit is ignored. */
  addFrame(message: Buffer): void {
    if (this.#isOver || this.#isFull) return;
    const isFrame = message.length >= 6 && message.length % 2 === 0 && message.length <= maxFrameBytes;
    if (!isFrame || message.readUInt32LE(0) !== this.#frames) {
      this.#parts.close(closeCodes.badMessage);
      return;
    }
    if (this.#frames >= maxFrames) {
      this.#parts.close(closeCodes.tooFast);
      return;
    }
    const pcm = message.subarray(4);
    if (this.#bytes + pcm.length > maxBytes) {
      this.#isFull = true;
      this.#parts.send({ type: "limit", frames: this.#frames });
      return;
    }
    pcm.copy(this.#sound, this.#bytes);
    this.#bytes += pcm.length;
    this.#frames += 1;
    this.#feeder.grow();
  }

  /** Answers `done` when every word is final. */
  async setEnd(frames: number): Promise<void> {
    if (this.#isOver) return;
    if (frames !== this.#frames) {
      this.#parts.close(closeCodes.badMessage);
      return;
    }
    this.#feeder.end();
    await this.#feeding.catch(() => {});
    await Promise.all(this.#translating);
    if (this.#isOver) return;
    this.#parts.send({ type: "done", segments: this.#segments, durationSeconds: this.#bytes / 2 / pcmRate });
    this.#parts.close(1000);
  }

  /** Ends the work. */
  end(): void {
    this.#isOver = true;
    this.#stop.abort();
    this.#feeder.close();
    this.#sound.fill(0);
  }

  /** Sends the segment again with its translation. If the translation fails, the words are there already. */
  async #translate(index: number, segment: Segment): Promise<void> {
    const { translation, into, person, log, send } = this.#parts;
    if (into === undefined) return;
    try {
      const [translated] = await translation.translate([segment.text], { ...into, person, signal: this.#stop.signal });
      if (translated === undefined || this.#isOver) return;
      const both = { ...segment, translation: translated };
      this.#segments[index] = both;
      send({ type: "final", index, segment: both });
    } catch (error) {
      if (!this.#isOver) log.warn("try-out translation failed", describeError(error));
    }
  }

  #giveUp(error: unknown): void {
    if (this.#isOver) return;
    this.#parts.log.warn("try-out failed", describeError(error));
    const code: ErrorCode = error instanceof SpeechError && error.code === "tooManyAtOnce" ? "tooManyAtOnce" : "engineFailed";
    this.#parts.send({ type: "error", code, message: sentenceOf(code) });
    this.#parts.close(1011);
  }
}
