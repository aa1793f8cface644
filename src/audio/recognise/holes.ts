/**
 * Missing audio of at least this length is a gap (seconds). Shorter differences are inexact timestamps of the
 * container.
 */
export const shortestHole = 0.1;
/**
 * The maximum length of a speech packet (seconds). Longer packets hold raw samples, which can be decoded from anywhere.
 */
const longestPacket = 0.13;
/** The number of steps between packets from which the usual length is computed. */
const remembered = 15;

/** Packets without a gap. In seconds; undefined: from the first packet, or to the last one. */
interface Stretch {
  start: number | undefined;
  /** Shortly after the start of the last packet. */
  end: number | undefined;
}

/**
 * Finds missing packets: one gap, or several short ones. Chromium's decoder gives the audio after a gap the time at
 * which the gap begins, so each stretch between two gaps needs its own decoder.
 * @param packets of one track, in order; timestamps in seconds
 */
export async function* stretchesOf(packets: AsyncIterable<{ timestamp: number }>): AsyncGenerator<Stretch> {
  let start: number | undefined;
  let last: number | undefined;
  let steps: number[] = [];
  let missing = 0;
  for await (const { timestamp } of packets) {
    const step = timestamp - (last ?? timestamp);
    const usual = usualOf(steps);
    // A smaller difference is the rounding of a timestamp.
    if (step > usual * 1.5) missing += step - usual;
    if (missing >= shortestHole) {
      yield { start, end: (last ?? timestamp) + usual / 2 };
      start = timestamp;
      missing = 0;
    }
    last = timestamp;
    if (step > 0) steps = [...steps.slice(1 - remembered), step];
  }
  yield { start, end: undefined };
}

/** The median. */
function usualOf(steps: readonly number[]): number {
  return Math.min(longestPacket, steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? longestPacket);
}
