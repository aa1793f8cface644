import type { Segment } from "#contract/index.ts";
import type { ReadableStore } from "#src/browser/store.ts";

/** A segment that will not change any more. */
export interface CaptionLine extends Segment {
  /** pending: in progress; failed: retried before it is saved; none: no translation was requested. */
  translating: "none" | "pending" | "done" | "failed";
  /** What was translated of it before its end; not its translation. */
  draft?: string;
}

/** The interim text of somebody who is still speaking. */
export interface Interim {
  text: string;
  /** How many characters at its beginning stay as they are; absent: that is not known. */
  stable?: number | undefined;
  /** In seconds from the beginning. */
  start: number;
}

export interface CaptionsState {
  readonly lines: readonly CaptionLine[];
  /** The interim text, and what is translated of it; may still change. */
  readonly partial: (Interim & { translation?: string }) | null;
}

/** @returns the translation of a text. May reject. */
export type Translate = (text: string, signal: AbortSignal) => Promise<string>;

/** The recognised text, outside of the machine: it changes with every word. */
export interface Captions extends ReadableStore<CaptionsState> {
  /** Clears it for another recording. @param translate undefined for no translation */
  begin(translate: Translate | undefined): void;
  /** Clears the languages and stops the work; the words stay. */
  stop(): void;
  /** All segments so far; existing translations stay. */
  replace(segments: readonly Segment[]): void;
  setPartial(interim: Interim): void;
  /** @param index among all segments of the recording */
  addFinal(index: number, segment: Segment): void;
  /** Translates again what could not be translated. */
  retry(): void;
  /** Resolves when everything possible is translated; failed ones are retried once. Never rejects. */
  translated(): Promise<void>;
}
