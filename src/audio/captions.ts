import type { Segment } from "#contract/index.ts";
import type { ReadableStore } from "#src/browser/store.ts";

/** A final segment. */
export interface CaptionLine extends Segment {
  /** pending: running; failed: retried before the recording is saved; none: no translation was requested. */
  translating: "none" | "pending" | "done" | "failed";
  /** A translation of its interim text, which does not replace its own translation. */
  draft?: string;
}

/** The interim text while somebody is still speaking. */
export interface Interim {
  text: string;
  /** The number of characters at its beginning that will not change; absent: unknown. */
  stable?: number | undefined;
  /** Seconds from the beginning. */
  start: number;
}

export interface CaptionsState {
  readonly lines: readonly CaptionLine[];
  /** The interim text and its translation. Both may still change. */
  readonly partial: (Interim & { translation?: string }) | null;
}

/** @returns the translation of a text; may reject */
export type Translate = (text: string, signal: AbortSignal) => Promise<string>;

/** The recognized text, kept out of the machine because it changes with every word. */
export interface Captions extends ReadableStore<CaptionsState> {
  /** Clears the text for another recording. @param translate undefined: no translation */
  begin(translate: Translate | undefined): void;
  /** Stops the translation. The words stay. */
  stop(): void;
  /** Replaces all segments. Existing translations stay. */
  replace(segments: readonly Segment[]): void;
  setPartial(interim: Interim): void;
  /** @param index among all segments of the recording */
  addFinal(index: number, segment: Segment): void;
  /** Retries failed translations. */
  retry(): void;
  /** Resolves when everything is translated as far as possible. Retries failed translations once. Never rejects. */
  translated(): Promise<void>;
}
