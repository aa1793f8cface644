import type { Segment } from "#contract/index.ts";
import type { Stretch } from "#machines/waveform/rules.ts";
import { indexAt } from "#src/audio/position.ts";
import type { ReadableStore } from "#src/browser/store.ts";

/** What plays the recording. Times are in seconds. */
export interface Sound {
  position: ReadableStore<number>;
  isPlaying(): boolean;
  /** What was understood of it. */
  segments: ReadableStore<readonly Segment[]>;
  seek(seconds: number): void;
}

/** One that may have several sound tracks. */
export interface TrackedSound extends Sound {
  /** Which of them is played. */
  track: ReadableStore<number | undefined>;
}

/** A longer step between two positions is a place that somebody chose (seconds): also in the background, what is played is told twice a second. */
const longestStep = 1.5;
/** So near its end a silence is over (seconds). */
const almost = 0.05;

/** Watches for what is played coming to a place by itself (seconds). @returns ends it */
export function watchEnd({ position, isPlaying }: Sound, end: number, onPassed: () => void): () => void {
  let last = position.get();
  return position.subscribe(() => {
    const before = last;
    last = position.get();
    if (isPlaying() && before < end && last >= end && last - before < longestStep) onPassed();
  });
}

/**
 * Watches for silences in which something is played, from their beginning or from a place within them, once for each time.
 * @param silences in order
 * @param onReached is given where it is, and where the silence ends
 * @returns ends it
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

/** Watches for another place being chosen, by whatever. @returns ends it */
export function watchJumps({ position }: Sound, onJumped: () => void): () => void {
  let last = position.get();
  return position.subscribe(() => {
    const before = last;
    last = position.get();
    if (last < before || last - before >= longestStep) onJumped();
  });
}
