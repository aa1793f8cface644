import type { Segment, SpeechLanguage } from "#contract/index.ts";

/** All PCM between the parts of the server is signed 16-bit little-endian, mono, at this rate (Hz). */
export const pcmRate = 16_000;

export type StreamEvent =
  /** The words of the current utterance so far; `start` in seconds since the stream began. */
  | { type: "partial"; text: string; start: number }
  /** An utterance that will not change any more; times in seconds since the stream began. */
  | { type: "final"; segment: Segment };

/** One live stream of speech. Everything that was written before `end` has been turned into finals when `end` resolves. */
export interface SpeechStream {
  /** Takes PCM; resolves when the engine can take more (back-pressure). */
  write(pcm: Buffer): Promise<void>;
  end(): Promise<void>;
  /** Stops at once and gives everything back; safe to call twice and after `end`. */
  close(): void;
}

export interface StreamOptions {
  language: SpeechLanguage;
  onEvent(event: StreamEvent): void;
  /** The stream is dead; what was not final has to be fed to a new stream. */
  onError(error: Error): void;
}

/** Somebody who was heard before in the same audio. */
export interface KnownVoice {
  /** As the segments name who speaks. */
  name: string;
  /** A sample of the voice, 2 to 10 s. */
  pcm: Buffer;
}

export interface TranscribeOptions {
  language: SpeechLanguage;
  signal?: AbortSignal;
  /** Names and terms to expect; heeded by engines with `vocabulary`. */
  vocabulary?: string;
  /** When given, the speakers are told apart by engines with `speakers`; those heard before keep their names. */
  speakers?: readonly KnownVoice[];
}

export interface SpeechEngine {
  readonly id: "openai" | "sherpa" | "pocketsphinx";
  readonly name: string;
  /** The audio does not leave this machine. */
  readonly offline: boolean;
  /** Why it can't be used, and how to mend that; undefined when it can. */
  readonly unavailable: string | undefined;
  /** With `unavailable`: whether it isn't installed or set up, or is there and does not work. */
  readonly fault?: "missing" | "broken" | undefined;
  /** The languages it hears; "auto" is among them only if it detects languages. */
  readonly languages: readonly SpeechLanguage[];
  /** Whether it tells speakers apart, and whether it heeds words to expect; absent: no. */
  readonly speakers?: boolean;
  readonly vocabulary?: boolean;
  /** How many pieces it can do side by side. */
  readonly parallel: number;
  /**
   * Turns one piece of speech into segments, times in seconds from the piece's beginning; an empty list when nobody spoke.
   * @throws SpeechError with a code from the contract: `engineUnavailable`, `engineTimeout`, `engineFailed`.
   */
  transcribe(pcm: Buffer, options: TranscribeOptions): Promise<Segment[]>;
  openStream(options: StreamOptions): Promise<SpeechStream>;
  /** Ends child processes and workers. */
  close(): Promise<void>;
}

/** A failure that a person is told about; `code` names the sentence. */
export class SpeechError extends Error {
  readonly code: "engineUnavailable" | "engineTimeout" | "engineFailed" | "languageUnavailable";
  constructor(code: SpeechError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SpeechError";
    this.code = code;
  }
}
