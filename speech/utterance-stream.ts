import type { Segment } from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import { joinBytes, pcmRate } from "./bytes.ts";
import { Guide } from "./guide.ts";
import type { SpeechStream, StreamEvent } from "./stream.ts";
import { UtteranceCutter, type UtteranceLimits, utteranceEnd } from "./utterances.ts";
import { vadFrame } from "./vad.ts";
import type { IsVoice } from "./voice.ts";
import type { VoiceActivity } from "./voice-activity.ts";
import { shifted } from "./words.ts";

/** Streamed text of the current utterance. */
export interface InterimText {
  begin(): void;
  /**
   * Feeds more of the utterance. The signal is aborted when the result is no longer needed.
   * @returns its text so far; undefined when there is nothing new to show
   */
  feed(pcm: Uint8Array, signal: AbortSignal): Promise<Interim | undefined>;
}

export interface Interim {
  text: string;
  /** How many characters at the beginning are stable; absent: unknown. */
  stable?: number;
}

export interface UtteranceStreamOptions {
  /** The final words of an utterance, with times from its beginning. */
  transcribe(pcm: Uint8Array, signal: AbortSignal, isVoice?: IsVoice): Promise<Segment[]>;
  interim: InterimText;
  /** Default: 10 to 20 s. */
  limits?: UtteranceLimits | undefined;
  /** Detects voices in noise. Default: by energy. */
  activity?: VoiceActivity | undefined;
  onEvent(event: StreamEvent): void;
  onError(error: Error): void;
  /** Releases the stream's resources; called once. */
  onClose?(): void;
}

/** Audio waiting for final words may grow to this before `write` applies back-pressure (bytes): 30 s. */
const backlogLimit = 30 * pcmRate * 2;
const nothing: Interim = { text: "", stable: 0 };
/** Shortest interval between changes of interim text (ms). */
const interimPause = 200;

/**
 * A live stream over an engine that transcribes utterances. Pauses delimit utterances, and their final words are
 * emitted in order. Interim text is only shown for the utterance after the last final, so that words never jump.
 */
export function openUtteranceStream(options: UtteranceStreamOptions): SpeechStream {
  return new UtteranceStream(options);
}

/** The current utterance. */
interface Running {
  /** In seconds from the beginning of the stream. */
  start: number;
  over: AbortController;
  /** Audio for the next call; undefined when no call is queued that more audio could join. */
  unfed: Uint8Array[] | undefined;
  /** Audio skipped while finished utterances waited for their words. */
  skipped: Uint8Array[];
}

class UtteranceStream implements SpeechStream {
  readonly #options: UtteranceStreamOptions;
  readonly #cutter: UtteranceCutter;
  readonly #guide: Guide | undefined;
  readonly #stopping = new AbortController();
  /** The queue of calls to the engine. */
  #work: Promise<void> = Promise.resolve();
  /** Bytes of finished utterances without final words. */
  #backlog = 0;
  #running: Running | undefined;
  #shown: Interim = nothing;
  #shownAt = Number.NEGATIVE_INFINITY;
  #failure: Error | undefined;
  #isClosed = false;

  constructor(options: UtteranceStreamOptions) {
    this.#options = options;
    const { activity, limits } = options;
    this.#guide = activity === undefined ? undefined : new Guide(activity, utteranceEnd);
    this.#cutter = new UtteranceCutter({ detector: this.#guide?.detector, limits });
  }

  async write(pcm: Uint8Array): Promise<void> {
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
      else this.#finish(event.pcm, event.startSample);
    }
  }

  #begin(startSample: number): void {
    this.#running = { start: startSample / pcmRate, over: new AbortController(), unfed: undefined, skipped: [] };
    this.#enqueue(async () => this.#options.interim.begin());
  }

  #more(pcm: Uint8Array): void {
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

  async #feed(utterance: Running, sound: Uint8Array[]): Promise<void> {
    if (utterance.unfed === sound) utterance.unfed = undefined;
    const { signal } = utterance.over;
    // Finished utterances come first: this audio waits until they have their words.
    if (signal.aborted || this.#backlog > 0) {
      append(utterance.skipped, sound);
      return;
    }
    try {
      const interim = await this.#options.interim.feed(joinBytes([...utterance.skipped.splice(0), ...sound]), signal);
      if (interim !== undefined && !signal.aborted) this.#show(interim, utterance.start);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #finish(pcm: Uint8Array, startSample: number): void {
    this.#running?.over.abort();
    this.#running = undefined;
    this.#backlog += pcm.length;
    const isVoice = this.#guide?.detector.voicesFrom(startSample / vadFrame);
    this.#enqueue(async () => {
      const segments = await this.#options.transcribe(pcm, this.#stopping.signal, isVoice);
      this.#backlog -= pcm.length;
      if (this.#isClosed) return;
      const start = startSample / pcmRate;
      for (const segment of segments) this.#options.onEvent({ type: "final", segment: shifted(segment, start) });
      // Clears the interim text of audio that turned out not to be speech.
      if (segments.length === 0 && this.#shown.text !== "") this.#options.onEvent({ type: "partial", text: "", start });
      this.#shown = nothing;
    });
  }

  #show(interim: Interim, start: number): void {
    const now = performance.now();
    const { text, stable = 0 } = interim;
    if (this.#isClosed || now - this.#shownAt < interimPause || (text === this.#shown.text && stable === this.#shown.stable))
      return;
    this.#shown = interim;
    this.#shownAt = now;
    this.#options.onEvent({ type: "partial", ...interim, start });
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
