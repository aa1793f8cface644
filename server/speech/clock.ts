import { smallest } from "#contract/lists.ts";
import { pcmRate } from "#speech/bytes.ts";

/** Where a file's sound lies in time, of which second 0 is what a player shows as 0:00. */
export interface Clock {
  /** The timestamp of second 0, in seconds. */
  zeroSeconds: number;
  /** Longest hole in the sound, in seconds: after a longer one, the timestamps have begun anew. */
  maxHoleSeconds: number;
}

/** Containers whose timestamps begin at 0. A broadcast's begin at any hour, and may begin anew in the middle. */
const zeroBased = /^(?:mov|matroska|ogg)\b/;
/** Later than that, also their timestamps are those of a broadcast (seconds). */
const latestStart = 3_600;
/** ffmpeg's own limit for containers without discontinuities. */
const longestHole = 30 * 3_600;
export const longestBroadcastHole = 3_600;

/**
 * Chromium shows timestamps as they are, also when all of a file begins late. A broadcast has no 0: its player begins with what
 * comes first.
 * @param container ffprobe's `format_name`
 * @param starts of the streams that are played, in seconds
 */
export function clockOf(container: string, starts: readonly number[]): Clock {
  const earliest = starts.length === 0 ? 0 : smallest(starts);
  const isZeroBased = zeroBased.test(container);
  return {
    zeroSeconds: isZeroBased && earliest <= latestStart ? 0 : earliest,
    maxHoleSeconds: isZeroBased ? longestHole : longestBroadcastHole,
  };
}

/** Samples of silence before a packet of sound, and samples that are left out at its beginning. */
interface Placed {
  silence: number;
  skip: number;
}

const samplesPerMs = pcmRate / 1000;
/** Timestamps that deviate by less are not exact, rather than that sound is missing (samples). */
const jitter = 0.1 * pcmRate;
/**
 * A shorter deviation has to last that long to be a hole (samples): browsers write when a packet came, rather than when it was
 * spoken.
 */
const surelyHole = 0.5 * pcmRate;
/** Timestamps that go back by more begin anew (samples). */
const longestOverlap = 1 * pcmRate;

export interface Timeline {
  /** @param at timestamp of a packet: the last 32 bits of the milliseconds; @param count its samples */
  place(at: number, count: number): Placed;
  /** Sound was missing in the middle. */
  hasHoles(): boolean;
  /** Timestamps have begun anew: how long the container says it is means nothing. */
  hasRestarted(): boolean;
}

/**
 * Finds the place of each packet. Sound that is there is never left out, except before second 0: timestamps that are too early are
 * taken for inexact.
 */
export function createTimeline({ zeroSeconds, maxHoleSeconds }: Clock): Timeline {
  const zeroMs = Math.round(zeroSeconds * 1000);
  const maxHole = maxHoleSeconds * pcmRate;
  let position = 0;
  let shift = 0;
  let hasHoles = false;
  let hasRestarted = false;
  /** Since when packets are late, and by how much all of them are. */
  let late: { from: number; least: number } | undefined;
  const holeBefore = (lag: number): number => {
    if (lag <= jitter) {
      late = undefined;
      return 0;
    }
    late = { from: late?.from ?? position, least: Math.min(lag, late?.least ?? lag) };
    if (lag <= surelyHole && position - late.from < surelyHole) return 0;
    const hole = lag > surelyHole ? lag : late.least;
    late = undefined;
    hasHoles = true;
    return hole;
  };
  const place = (at: number, count: number): Placed => {
    const isBeginning = position === 0;
    const lag = ((at - zeroMs) | 0) * samplesPerMs + shift - position;
    if (lag > maxHole || lag < (isBeginning ? -maxHole : -longestOverlap)) {
      shift -= lag;
      hasRestarted = true;
      position += count;
      return { silence: 0, skip: 0 };
    }
    const silence = isBeginning ? Math.max(0, lag) : holeBefore(lag);
    const skip = isBeginning ? Math.min(count, Math.max(0, -lag)) : 0;
    position += silence + count - skip;
    return { silence, skip };
  };
  return { place, hasHoles: () => hasHoles, hasRestarted: () => hasRestarted };
}
