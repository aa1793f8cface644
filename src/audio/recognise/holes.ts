/** Missing sound of at least this length is a hole (seconds): the timestamps of containers are that inexact. */
export const shortestHole = 0.1;
/** Of speech; longer packets hold whole samples, which can be decoded from anywhere (seconds). */
const longestPacket = 0.13;
/** From how many steps between packets their usual length is known. */
const remembered = 15;

/** Packets without a hole. Both in seconds; undefined: from the first packet, or to the last. */
interface Stretch {
  start: number | undefined;
  /** Behind the start of the last packet. */
  end: number | undefined;
}

/**
 * Finds missing packets: a hole, or several short ones. Chromium's decoder gives what follows a hole the time at which the hole begins, so each
 * stretch between two holes needs a decoder of its own.
 * @param packets of one track, in order; their timestamps are in seconds
 */
export async function* stretchesOf(packets: AsyncIterable<{ timestamp: number }>): AsyncGenerator<Stretch> {
  let start: number | undefined;
  let last: number | undefined;
  let steps: number[] = [];
  let missing = 0;
  for await (const { timestamp } of packets) {
    const step = timestamp - (last ?? timestamp);
    const usual = usualOf(steps);
    // Less is the rounding of a timestamp.
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
