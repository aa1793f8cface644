import type { Segment } from "#contract/index.ts";
import type { EngineChoice } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import type { SpeechStream, StreamEvent } from "#speech/stream.ts";
import { shift } from "#speech/words.ts";
import type { RecordingFile } from "./recording-file.ts";

/** Samples per engine call: one second. */
const chunkSamples = pcmRate;
/** An engine that fails this often without a new final is given up. */
const maxDeaths = 3;

type PartialEvent = Extract<StreamEvent, { type: "partial" }>;

export interface FeederParts {
  choice: EngineChoice;
  /** The speaker's account; without one, the network. */
  person: string;
  /** Names and terms to expect. */
  vocabulary: readonly string[];
  file: Pick<RecordingFile, "read" | "samples">;
  /** The end of the last final result. */
  fromSample: number;
  /** Times in seconds from the start of the recording, here and below. */
  onPartial(partial: PartialEvent): void;
  /** Stores a final; the next one waits until it resolves. */
  onFinal(segment: Segment, finalSample: number): Promise<void>;
}

/**
 * Feeds a growing recording from disk to an engine, at the engine's speed. A failed engine is restarted from the last
 * final result. Memory use does not depend on the engine's delay.
 */
export class Feeder {
  readonly #parts: FeederParts;
  readonly #failed: Promise<never>;
  #fail: (error: unknown) => void = () => {};
  #stream: SpeechStream | undefined;
  #finalSample: number;
  #storing: Promise<void> = Promise.resolve();
  #grown: () => void = () => {};
  #ending = false;
  #closed = false;

  constructor(parts: FeederParts) {
    this.#parts = parts;
    this.#finalSample = parts.fromSample;
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#failed.catch(() => {});
  }

  /** Feeds until `end` or `close`. @throws the engine's error, once retries are exhausted */
  async run(): Promise<void> {
    let deaths = 0;
    while (!this.#closed) {
      const before = this.#finalSample;
      try {
        await this.#feedOneStream();
        return;
      } catch (error) {
        await this.#storing;
        deaths = this.#finalSample > before ? 1 : deaths + 1;
        if (deaths >= maxDeaths && !this.#closed) throw error;
      } finally {
        this.#stream?.close();
        this.#stream = undefined;
      }
    }
  }

  /** The file has more samples. */
  grow(): void {
    this.#grown();
  }

  /** No more samples follow: `run` resolves when every word is final. */
  end(): void {
    this.#ending = true;
    this.#grown();
  }

  /** Stops at once. */
  close(): void {
    this.#closed = true;
    this.#stream?.close();
    this.#fail(new Error("closed"));
    this.#grown();
  }

  async #feedOneStream(): Promise<void> {
    const { choice, person, vocabulary, file } = this.#parts;
    const from = this.#finalSample;
    const dead = Promise.withResolvers<never>();
    dead.promise.catch(() => {});
    let current = true;
    const alive = <Result>(work: Promise<Result>) => Promise.race([work, dead.promise, this.#failed]);
    try {
      const opening = choice.engine.openStream({
        person,
        language: choice.language,
        vocabulary,
        onEvent: (event) => {
          if (current) this.#handle(event, from);
        },
        onError: (error) => dead.reject(error),
      });
      const stream = await alive(opening).catch((error: unknown) => {
        // Nothing waits for it any longer: an engine that opens late is closed.
        opening.then((late) => late.close()).catch(() => {});
        throw error;
      });
      this.#stream = stream;
      for (let position = from; !this.#closed; ) {
        const grown = new Promise<void>((resolve) => {
          this.#grown = resolve;
        });
        if (position < file.samples) {
          const pcm = await file.read(position, chunkSamples);
          position += pcm.length / 2;
          await alive(stream.write(pcm));
        } else if (this.#ending) {
          await alive(stream.end());
          await this.#storing;
          return;
        } else await alive(grown);
      }
    } finally {
      current = false;
    }
  }

  #handle(event: StreamEvent, from: number): void {
    const offset = from / pcmRate;
    if (event.type === "partial") {
      this.#parts.onPartial({ ...event, start: Math.round((event.start + offset) * 1000) / 1000 });
      return;
    }
    const segment = shift(event.segment, offset);
    const end = Math.min(this.#parts.file.samples, Math.round(segment.end * pcmRate));
    this.#finalSample = Math.max(this.#finalSample, end);
    const finalSample = this.#finalSample;
    this.#storing = this.#storing.then(() => this.#parts.onFinal(segment, finalSample));
    this.#storing.catch((error: unknown) => this.#fail(error));
  }
}
