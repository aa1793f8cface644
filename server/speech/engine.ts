import type { Segment, SpeechLanguage } from "#contract/index.ts";
import type { SpeechStream, StreamEvent } from "#speech/stream.ts";

export interface StreamOptions {
  /** The user: users who share a process take turns (threads/slots.ts). */
  person: string;
  language: SpeechLanguage;
  /** As in TranscribeOptions. */
  vocabulary?: readonly string[];
  onEvent(event: StreamEvent): void;
  /** The stream has failed: audio without final text has to be sent to a new stream. */
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
  /** Cuts the audio at other pauses than usual, for a second opinion. Default: the usual pauses. */
  cut?: "elsewhere";
  /** Enables diarization in engines with `speakers`; known speakers keep their labels. */
  speakers?: readonly KnownVoice[];
}

/** The use of an engine: each use has its own choice of models, and dictation takes precedence over files. */
export type { Use } from "#server/threads/budget.ts";

/** Figures of an installed model, to choose among several. */
export interface Quality {
  /** The published word error rate in percent; undefined when none is known. */
  wordErrors: number | undefined;
  /** Measured seconds of processing per second of audio; undefined before a measurement. */
  factor: number | undefined;
  /** Whether this machine has enough memory for it. */
  fits: boolean;
  /** Whether the operator has named it (SPEECH_MODEL). */
  isNamed: boolean;
}

export interface SpeechEngine {
  /** "openai", or the id of an installed model. */
  readonly id: string;
  readonly name: string;
  /** Whether the audio stays on this machine. */
  readonly offline: boolean;
  /** The reason it is unavailable, and how to fix that; undefined when it works. */
  readonly unavailable: string | undefined;
  /** With `unavailable`: missing or not configured, or present but broken. */
  readonly fault?: "missing" | "broken" | undefined;
  /** The supported languages; "auto" only if it detects languages. */
  readonly languages: readonly SpeechLanguage[];
  /** Support of diarization and of expected words; absent: no. */
  readonly speakers?: boolean;
  readonly vocabulary?: boolean;
  /** False when its words have no confidence, and it can `cut` elsewhere instead. Absent: its words have confidence. */
  readonly confidence?: false;
  /** Whether it is faster than live speech; undefined when unknown. */
  readonly keepsUp?: boolean | undefined;
  /** Figures of an installed model. */
  readonly quality?: Quality;
  /** Whether it can translate while it recognizes, into a two-letter code; absent: no. */
  translates?(language: SpeechLanguage, target: string): boolean;
  /** How many pieces it can process in parallel. */
  readonly parallel: number;
  /**
   * Transcribes one piece, with times in seconds from its beginning. Without speech, the list is empty.
   * @throws SpeechError with a code from the contract: `engineUnavailable`, `engineTimeout`, `engineFailed`.
   */
  transcribe(pcm: Uint8Array, options: TranscribeOptions): Promise<Segment[]>;
  openStream(options: StreamOptions): Promise<SpeechStream>;
  /** Keeps an installed model from being removed until the result is disposed of; absent: it can't be removed. */
  hold?(): Promise<AsyncDisposable>;
  /** Terminates child processes and workers. */
  close(): Promise<void>;
}

/** A failure that is shown to users; `code` is the key of the text. */
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
