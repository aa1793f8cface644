import type { Segment } from "#contract/index.ts";

export type StreamEvent =
  /**
   * The words of the current utterance so far. The first `stable` characters stay; `start` is in seconds since the
   * stream began.
   */
  | { type: "partial"; text: string; stable?: number; start: number }
  /** A final utterance; times in seconds since the stream began. */
  | { type: "final"; segment: Segment };

/**
 * One live stream of speech. When `end` resolves, all audio written before has been emitted as finals.
 */
export interface SpeechStream {
  /** Takes PCM; resolves when the engine can take more (back-pressure). */
  write(pcm: Uint8Array): Promise<void>;
  end(): Promise<void>;
  /** Stops at once and releases all resources; safe to call twice and after `end`. */
  close(): void;
}
