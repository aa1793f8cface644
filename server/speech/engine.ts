import type { Segment, SpeechLanguage } from "#contract/index.ts";
import type { SpeechStream, StreamEvent } from "#speech/stream.ts";

export interface StreamOptions {
  /** Who speaks: people who share a process take turns (threads/slots.ts). */
  person: string;
  language: SpeechLanguage;
  /** As in TranscribeOptions. */
  vocabulary?: readonly string[];
  onEvent(event: StreamEvent): void;
  /** The stream has failed; audio without finals has to be sent to a new stream. */
  onError(error: Error): void;
}

/** A speaker known from earlier in the same audio. */
export interface KnownVoice {
  /** The speaker's label in the segments. */
  name: string;
  /** A sample of the voice, 2 to 10 s. */
  pcm: Uint8Array;
}

export interface TranscribeOptions {
  language: SpeechLanguage;
  signal?: AbortSignal;
  /** Names and terms to expect, as they are written, the most important first; used by engines with `vocabulary`. */
  vocabulary?: readonly string[];
  /** The two-letter code of a language that the engine `translates` into: each segment then has its translation. */
  target?: string;
  /** Cuts it into parts at other pauses than usual, for a second opinion. Default: the usual ones. */
  cut?: "elsewhere";
  /** Enables diarisation in engines with `speakers`; known speakers keep their labels. */
  speakers?: readonly KnownVoice[];
}

/** What an engine is wanted for: each has its own choice of models, and dictation goes before files. */
export type { Use } from "#server/threads/budget.ts";

/** What is known of an installed model, to choose among several. */
export interface Quality {
  /** The published word error rate in percent; undefined when none is known. */
  wordErrors: number | undefined;
  /** Measured seconds of work per second of audio; undefined before it was measured. */
  factor: number | undefined;
  /** This machine has the memory for it. */
  fits: boolean;
  /** The operator has named it (SPEECH_MODEL). */
  isNamed: boolean;
}

export interface SpeechEngine {
  /** "openai", or the id of an installed model. */
  readonly id: string;
  readonly name: string;
  /** The audio does not leave this machine. */
  readonly offline: boolean;
  /** Why it is unavailable, and how to fix that; undefined when it works. */
  readonly unavailable: string | undefined;
  /** With `unavailable`: whether it is missing or not configured, or is present but broken. */
  readonly fault?: "missing" | "broken" | undefined;
  /** The supported languages; "auto" only if it detects languages. */
  readonly languages: readonly SpeechLanguage[];
  /** Support of diarisation and of expected words; absent: no. */
  readonly speakers?: boolean;
  readonly vocabulary?: boolean;
  /** False where its words have no confidence, and it can `cut` elsewhere instead; absent: they have. */
  readonly confidence?: false;
  /** Whether it is faster than somebody who speaks; undefined when that is not known. */
  readonly keepsUp?: boolean | undefined;
  /** Of an installed model. */
  readonly quality?: Quality;
  /** Whether it can translate while it recognizes, into a two-letter code; absent: no. */
  translates?(language: SpeechLanguage, target: string): boolean;
  /** How many pieces it can process in parallel. */
  readonly parallel: number;
  /**
   * Transcribes one piece, with times in seconds from the piece's beginning; an empty list without speech.
   * @throws SpeechError with a code from the contract: `engineUnavailable`, `engineTimeout`, `engineFailed`.
   */
  transcribe(pcm: Uint8Array, options: TranscribeOptions): Promise<Segment[]>;
  openStream(options: StreamOptions): Promise<SpeechStream>;
  /** Keeps an installed model from being removed until the answer is disposed of; absent: nothing can be removed. */
  hold?(): Promise<AsyncDisposable>;
  /** Terminates child processes and workers. */
  close(): Promise<void>;
}

/** A failure that is shown to people; `code` is the key of the text. */
export class SpeechError extends Error {
  readonly code: "engineUnavailable" | "engineTimeout" | "engineFailed" | "languageUnavailable" | "tooManyAtOnce";
  constructor(code: SpeechError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SpeechError";
    this.code = code;
  }
}

/** "es-ES" as ISO 639-1 ("es"); undefined for "auto". */
export function isoOf(language: SpeechLanguage): string | undefined {
  return language === "auto" ? undefined : language.slice(0, 2);
}
