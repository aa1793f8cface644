import type { Segment } from "#contract/index.ts";
import type { Stretch } from "#machines/waveform/rules.ts";
import { indexAt } from "#src/audio/position.ts";
import type { ReadableStore } from "#src/browser/store.ts";

/** The playback of the recording. Times are in seconds. */
export interface Sound {
  position: ReadableStore<number>;
  isPlaying(): boolean;
  /** The recognized text. */
  segments: ReadableStore<readonly Segment[]>;
  seek(seconds: number): void;
}

/** A sound that may have several tracks. */
export interface TrackedSound extends Sound {
  /** The number of the playing track. */
  track: ReadableStore<number | undefined>;
}

/**
 * A longer step between two positions counts as a jump by the user (seconds). Even in the background, positions are
 * reported twice a second.
 */
const longestStep = 1.5;
/** A silence counts as over when this close to its end (seconds). */
const almost = 0.05;

/** Calls back when playback reaches a time (seconds) without a jump. @returns a function that ends it */
export function watchEnd({ position, isPlaying }: Sound, end: number, onPassed: () => void): () => void {
  let last = position.get();
  return position.subscribe(() => {
    const before = last;
    last = position.get();
    if (isPlaying() && before < end && last >= end && last - before < longestStep) onPassed();
  });
}

/**
 * Calls back when playback enters a silence, at its beginning or inside it, once each time.
 * @param silences sorted by time
 * @param onReached receives the position and the end of the silence
 * @returns a function that ends it
 */
export function watchSilences(
  { position, isPlaying }: Sound,
  silences: readonly Stretch[],
  onReached: (from: number, end: number) => void,
): () => void {
  let known: Stretch | undefined;
  const look = () => {
    const now = position.get();
    const silence = isPlaying() ? silences[indexAt(silences, now)] : undefined;
    const entered = silence !== undefined && now < silence.end - almost ? silence : undefined;
    const isNew = entered !== undefined && entered !== known;
    known = entered;
    if (isNew) onReached(now, entered.end);
  };
  look();
  return position.subscribe(look);
}

/** Calls back when the position jumps, whatever the cause. @returns a function that ends it */
export function watchJumps({ position }: Sound, onJumped: () => void): () => void {
  let last = position.get();
  return position.subscribe(() => {
    const before = last;
    last = position.get();
    if (last < before || last - before >= longestStep) onJumped();
  });
}
