import type { Segment } from "#contract/index.ts";
import { pcmRate, type SpeechStream, type StreamEvent } from "./engine.ts";
import { Guide } from "./silero/guide.ts";
import type { VoiceActivity } from "./silero/silero.ts";
import { hangoverOf, UtteranceCutter } from "./utterances.ts";
import { shifted } from "./words.ts";

/** Streamed text of the current utterance. */
export interface InterimText {
  begin(): void;
  /**
   * More of the utterance; the signal is aborted when the answer is no longer needed.
   * @returns its text so far; undefined when there is nothing new to show
   */
  feed(pcm: Buffer, signal: AbortSignal): Promise<string | undefined>;
}

/** An engine that decodes utterances while they are spoken. Calls are sequential. */
export interface UtteranceDecoder {
  begin(): void;
  /** More of the utterance. @returns its text so far; undefined when there is nothing new to show */
  feed(pcm: Buffer): Promise<string | undefined>;
  /** A possible end of the utterance: a good time to finalise the words so far... */
  lull(): Promise<void>;
  /** ... which was none. */
  resume(): Promise<void>;
  /**
   * @param pcm all of the utterance; less than was fed when it was split
   * @returns its final words, times from its beginning
   */
  finish(pcm: Buffer): Promise<Segment[]>;
}

interface Common {
  /** The silence that ends an utterance, in seconds. Default 0.6. */
  pause?: number;
  /** Who tells voices from noise. Default: energy does. */
  activity?: VoiceActivity | undefined;
  onEvent(event: StreamEvent): void;
  onError(error: Error): void;
  /** Releases the stream's resources; called once. */
  onClose?(): void;
}

export type UtteranceStreamOptions = Common &
  (
    | { decoder: UtteranceDecoder }
    | {
        /** The final words of an utterance, times from its beginning. */
        transcribe(pcm: Buffer, signal: AbortSignal): Promise<Segment[]>;
        interim: InterimText;
      }
  );

/** Audio waiting for final words may grow to this before `write` applies back-pressure (bytes): 30 s. */
const backlogLimit = 30 * pcmRate * 2;
/** Interim text changes at most this often (ms). */
const interimPause = 200;

/**
 * A live stream over an engine that transcribes utterances: each is delimited by pauses, and its final words are emitted in
 * order. Interim text is only shown for the utterance that follows the last final: a reader never sees words jump.
 */
export function openUtteranceStream(options: UtteranceStreamOptions): SpeechStream {
  return new UtteranceStream(options, "decoder" in options ? { ...options.decoder, canSkip: false } : afterwards(options));
}

/** The current utterance. */
interface Running {
  /** In seconds from the beginning of the stream. */
  start: number;
  over: AbortController;
  /** What the next call will feed; undefined when none is queued that more could join. */
  unfed: Buffer[] | undefined;
  /** What was to be fed while finished utterances waited for their words. */
  skipped: Buffer[];
}

/** An engine as the stream sees it. */
interface Listener {
  begin(): void;
  /** Whether audio may be skipped while finished utterances wait for their words. */
  readonly canSkip: boolean;
  feed(pcm: Buffer, signal: AbortSignal): Promise<string | undefined>;
  lull?(): Promise<void>;
  resume?(): Promise<void>;
  finish(pcm: Buffer, signal: AbortSignal): Promise<Segment[]>;
}

class UtteranceStream implements SpeechStream {
  readonly #options: Common;
  readonly #listener: Listener;
  readonly #cutter: UtteranceCutter;
  readonly #guide: Guide | undefined;
  readonly #stopping = new AbortController();
  /** The queue of calls to the engine. */
  #work: Promise<void> = Promise.resolve();
  /** Bytes of finished utterances without final words. */
  #backlog = 0;
  #running: Running | undefined;
  #shown = "";
  #shownAt = Number.NEGATIVE_INFINITY;
  #failure: Error | undefined;
  #isClosed = false;

  constructor(options: Common, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    const pause = options.pause === undefined ? {} : { pause: options.pause };
    this.#guide = options.activity === undefined ? undefined : new Guide(options.activity, hangoverOf(options.pause));
    this.#cutter = new UtteranceCutter(this.#guide === undefined ? pause : { ...pause, detector: this.#guide.detector });
  }

  async write(pcm: Buffer): Promise<void> {
    this.#assertOpen();
    const known = this.#guide === undefined ? pcm : await this.#guide.push(pcm);
    this.#assertOpen();
    this.#handle(this.#cutter.push(known));
    while (this.#backlog > backlogLimit) await this.#work;
    this.#assertOpen();
  }

  async end(): Promise<void> {
    this.#assertOpen();
    if (this.#guide !== undefined) this.#handle(this.#cutter.push(this.#guide.rest()));
    this.#handle(this.#cutter.finish());
    await this.#work;
    const failure = this.#failure;
    this.close();
    if (failure !== undefined) throw failure;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopping.abort();
    this.#running?.over.abort();
    this.#guide?.close();
    this.#options.onClose?.();
  }

  #assertOpen(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isClosed) throw new Error("The stream is closed.");
  }

  #handle(events: ReturnType<UtteranceCutter["push"]>): void {
    for (const event of events) {
      if (event.type === "begin") this.#begin(event.startSample);
      else if (event.type === "more") this.#more(event.pcm);
      else if (event.type === "lull") this.#turn(async () => this.#listener.lull?.());
      else if (event.type === "resume") this.#turn(async () => this.#listener.resume?.());
      else this.#finish(event.pcm, event.startSample);
    }
  }

  #begin(startSample: number): void {
    this.#running = { start: startSample / pcmRate, over: new AbortController(), unfed: undefined, skipped: [] };
    this.#enqueue(async () => this.#listener.begin());
  }

  #more(pcm: Buffer): void {
    const utterance = this.#running;
    if (utterance === undefined) return;
    if (utterance.unfed !== undefined) {
      utterance.unfed.push(pcm);
      return;
    }
    const sound = [pcm];
    utterance.unfed = sound;
    this.#enqueue(() => this.#feed(utterance, sound));
  }

  /** A lull begins or ends. What is heard from here on is not fed with what was heard before, however much of it waits. */
  #turn(tell: () => Promise<void>): void {
    if (this.#running !== undefined) this.#running.unfed = undefined;
    this.#enqueue(tell);
  }

  async #feed(utterance: Running, sound: Buffer[]): Promise<void> {
    if (utterance.unfed === sound) utterance.unfed = undefined;
    const { signal } = utterance.over;
    // Finished utterances come first: the audio stays queued until they have their words.
    if (this.#listener.canSkip && (signal.aborted || this.#backlog > 0)) {
      utterance.skipped.push(...sound);
      return;
    }
    try {
      const text = await this.#listener.feed(Buffer.concat([...utterance.skipped.splice(0), ...sound]), signal);
      // Where nothing is left out, its final words can't have come yet.
      if (text !== undefined && (!this.#listener.canSkip || !signal.aborted)) this.#show(text, utterance.start);
    } catch (error) {
      if (!this.#listener.canSkip || !signal.aborted) throw error;
    }
  }

  #finish(pcm: Buffer, startSample: number): void {
    this.#running?.over.abort();
    this.#running = undefined;
    this.#backlog += pcm.length;
    this.#enqueue(async () => {
      const segments = await this.#listener.finish(pcm, this.#stopping.signal);
      this.#backlog -= pcm.length;
      if (this.#isClosed) return;
      const start = startSample / pcmRate;
      for (const segment of segments) this.#options.onEvent({ type: "final", segment: shifted(segment, start) });
      // Clears interim text of audio that turned out to be no speech.
      if (segments.length === 0 && this.#shown !== "") this.#options.onEvent({ type: "partial", text: "", start });
      this.#shown = "";
    });
  }

  #show(text: string, start: number): void {
    const now = performance.now();
    if (text === this.#shown || this.#isClosed || now - this.#shownAt < interimPause) return;
    this.#shown = text;
    this.#shownAt = now;
    this.#options.onEvent({ type: "partial", text, start });
  }

  #enqueue(task: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#isClosed || this.#failure !== undefined) return;
      try {
        await task();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #fail(error: unknown): void {
    // Aborting because of `close` is no failure.
    if (this.#isClosed) return;
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#backlog = 0;
    // Resources are released at once, even if nobody closes a failed stream.
    this.close();
    this.#options.onError(this.#failure);
  }
}

/** For an engine that only transcribes complete utterances. */
function afterwards({ transcribe, interim }: Exclude<UtteranceStreamOptions, { decoder: UtteranceDecoder }>): Listener {
  return { canSkip: true, begin: interim.begin, feed: interim.feed, finish: transcribe };
}

/** Audio after which it is transcribed again (bytes): 2 s. */
const rehearAfter = 2 * pcmRate * 2;

/** Interim text from an engine that only transcribes complete utterances: the current one is transcribed every two seconds. */
export function rehearing(transcribe: (pcm: Buffer, signal: AbortSignal) => Promise<Segment[]>): InterimText {
  let sound: Buffer[] = [];
  let unheard = 0;
  return {
    begin: () => {
      sound = [];
      unheard = 0;
    },
    feed: async (pcm, signal) => {
      sound.push(pcm);
      unheard += pcm.length;
      if (unheard < rehearAfter) return undefined;
      unheard = 0;
      try {
        const segments = await transcribe(Buffer.concat(sound), signal);
        return segments.map((segment) => segment.text).join(" ");
      } catch {
        // The final request follows anyway, and reports the error.
        return undefined;
      }
    },
  };
}
