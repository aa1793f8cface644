import type { Segment } from "#contract/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import type { SpeechStream, StreamEvent } from "#speech/stream.ts";
import { openUtteranceStream, type UtteranceStreamOptions } from "#speech/utterance-stream.ts";
import { tidyStart, withTidyJoins } from "#speech/written/joins.ts";
import { RecogniserError } from "./failure.ts";

export interface StreamListener {
  /** The words of the current utterance so far; "" when it has turned out to have none. */
  onInterim(text: string): void;
  /** The words of a finished utterance, segment by segment. Times are seconds from the beginning of the audio. */
  onFinal(segment: Segment): void;
  /** Called once, when this device can't keep up with speech. */
  onSlow(): void;
  /** Called once, when recognition can't continue. `end` rejects with the same error. */
  onError(error: Error): void;
}

/** Live audio that is being recognized. */
export interface RecogniserStream {
  /** @param pcm signed 16-bit little-endian, mono, 16,000 Hz, any number of whole samples; its memory is transferred */
  write(pcm: Uint8Array): void;
  /** Ends the stream. @returns all segments @throws RecogniserError */
  end(): Promise<Segment[]>;
  /** Cancels the stream. No callback is called afterwards. */
  close(): void;
}

/**
 * Limits of an utterance's length (seconds). Each is recognized again and again while it is spoken, so it must be
 * short.
 */
const limits = { shortest: 4, longest: 9 };
/** The maximum amount of waiting audio, besides that of finished utterances (bytes): 30 s. */
const mostWaiting = 30 * pcmRate * 2;

type Engine = Pick<UtteranceStreamOptions, "transcribe" | "interim" | "activity">;

/** Recognizes live audio with its own engine. */
export class LiveRecognition implements RecogniserStream {
  readonly #listener: StreamListener;
  readonly #stream: SpeechStream;
  /** The segments of each utterance. */
  readonly #texts: Segment[][] = [];
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isOver = false;

  constructor(listener: StreamListener, { transcribe, interim, activity }: Engine) {
    this.#listener = listener;
    this.#stream = openUtteranceStream({
      transcribe: async (...args) => {
        const segments = await transcribe(...args);
        this.#texts.push([]);
        return segments;
      },
      interim,
      activity,
      limits,
      onEvent: (event) => this.#take(event),
      onError: (error) => this.#fail(error),
    });
  }

  write(pcm: Uint8Array): void {
    if (this.#isOver) return;
    this.#waiting += pcm.length;
    if (this.#waiting > mostWaiting) {
      const error = new RecogniserError("fellBehind", "The sound comes faster than it can be recognized.");
      this.#writing = Promise.reject(error);
      this.#fail(error);
    } else {
      this.#writing = this.#writing.then(async () => {
        await this.#stream.write(pcm);
        this.#waiting -= pcm.length;
      });
    }
    // The stream and `end` report the failure.
    this.#writing.catch(() => undefined);
  }

  async end(): Promise<Segment[]> {
    await this.#writing;
    await this.#stream.end();
    this.#isOver = true;
    return withTidyJoins(this.#texts, "en");
  }

  close(): void {
    this.#isOver = true;
    this.#stream.close();
  }

  #take(event: StreamEvent): void {
    if (event.type === "partial") {
      this.#listener.onInterim(event.text);
      return;
    }
    const before = this.#texts.flat().at(-1);
    this.#texts.at(-1)?.push(event.segment);
    this.#listener.onFinal(tidyStart(event.segment, before));
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.close();
    this.#listener.onError(error);
  }
}
