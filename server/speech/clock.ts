import { smallest } from "#contract/lists.ts";
import { pcmRate } from "#speech/bytes.ts";

/** The time line of a file's sound. Second 0 is what a player shows as 0:00. */
export interface Clock {
  /** The timestamp of second 0, in seconds. */
  zeroSeconds: number;
  /** Longest gap in the sound, in seconds: a longer one means that the timestamps have restarted. */
  maxHoleSeconds: number;
}

/** Containers whose timestamps begin at 0. A broadcast's timestamps begin anywhere, and may restart in the middle. */
const zeroBased = /^(?:mov|matroska|ogg)\b/;
/** If they begin later than this (seconds), the timestamps of these containers are a broadcast's, too. */
const latestStart = 3_600;
/** ffmpeg's own limit for containers without discontinuities. */
const longestHole = 30 * 3_600;
export const longestBroadcastHole = 3_600;

/**
 * Finds second 0. Chromium shows timestamps as they are, even if the whole file begins late. A broadcast has no 0: its
 * player begins with the first packet.
 * @param container ffprobe's `format_name`
 * @param starts of the played streams, in seconds
 */
export function clockOf(container: string, starts: readonly number[]): Clock {
  const earliest = starts.length === 0 ? 0 : smallest(starts);
  const isZeroBased = zeroBased.test(container);
  return {
    zeroSeconds: isZeroBased && earliest <= latestStart ? 0 : earliest,
    maxHoleSeconds: isZeroBased ? longestHole : longestBroadcastHole,
  };
}

/** Samples of silence to insert before a packet, and samples to leave out at its beginning. */
interface Placed {
  silence: number;
  skip: number;
}

const samplesPerMs = pcmRate / 1000;
/** Smaller deviations are inexact timestamps, not missing sound (samples). */
const jitter = 0.1 * pcmRate;
/**
 * A shorter deviation counts as a gap only if it lasts this long (samples): browsers write when a packet arrived, not
 * when it was spoken.
 */
const surelyHole = 0.5 * pcmRate;
/** Timestamps that go back by more have restarted (samples). */
const longestOverlap = 1 * pcmRate;

export interface Timeline {
  /**
   * @param at timestamp of a packet: the last 32 bits of the milliseconds
   * @param count its samples
   */
  place(at: number, count: number): Placed;
  /** Whether sound was missing in the middle. */
  hasHoles(): boolean;
  /** Whether the timestamps have restarted: then the container's duration means nothing. */
  hasRestarted(): boolean;
}

/**
 * Finds the place of each packet. No sound is left out, except before second 0: timestamps that are too early count as
 * inexact.
 */
export function createTimeline({ zeroSeconds, maxHoleSeconds }: Clock): Timeline {
  const zeroMs = Math.round(zeroSeconds * 1000);
  const maxHole = maxHoleSeconds * pcmRate;
  let position = 0;
  let shift = 0;
  let hasHoles = false;
  let hasRestarted = false;
  /** The position since which packets are late, and the least lag of any of them. */
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
