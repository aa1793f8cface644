import type { Arrival } from "./simulation.ts";

/** Uniform numbers in [0, 1), the same for the same seed: mulberry32 (Tommy Ettinger, public domain). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Exponentially distributed with this mean: the time between arrivals of independent people. */
export function exponential(random: () => number, mean: number): number {
  return -mean * Math.log(1 - random());
}

/** Standard normal (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * Log-normal with this mean: most recordings are short, a few are long.
 * @param spread standard deviation of the logarithm
 */
function lengths(random: () => number, mean: number, spread = 1): number {
  return mean * Math.exp(spread * normal(random) - spread ** 2 / 2);
}

export interface Demand {
  people: number;
  /** Minutes of audio that one of them brings on a working day, on average. */
  minutesPerDay: number;
  /** Minutes of one file, on average. */
  minutesPerFile: number;
  /** The share of a day's files that comes in its busiest hour: 1/24 would be an even day. */
  peakShare: number;
  /** Seconds that a place is busy with a minute of audio. */
  secondsPerMinute: number;
}

/** Jobs per second in the busiest hour, and the places that they keep busy on average. */
export function load(demand: Demand): { filesPerSecond: number; places: number } {
  const { people, minutesPerDay, minutesPerFile, peakShare, secondsPerMinute } = demand;
  const minutesPerSecond = (people * minutesPerDay * peakShare) / 3600;
  return { filesPerSecond: minutesPerSecond / minutesPerFile, places: minutesPerSecond * secondsPerMinute };
}

/** The files that come in the busiest hour. */
export function busiestHour(demand: Demand, random: () => number, seconds = 3600): Arrival[] {
  const { people, minutesPerFile, secondsPerMinute } = demand;
  const between = 1 / load(demand).filesPerSecond;
  const arrivals: Arrival[] = [];
  for (let at = exponential(random, between); at < seconds; at += exponential(random, between)) {
    const person = Math.floor(random() * people);
    // Nobody uploads more than twelve hours at once.
    const minutes = Math.min(lengths(random, minutesPerFile), 12 * 60);
    arrivals.push({ at, person, seconds: minutes * secondsPerMinute });
  }
  return arrivals;
}

/**
 * The mean wait in seconds in a queue with Poisson arrivals, exponential work and several places (Erlang C, M/M/c).
 * @param rate jobs per second @param mean seconds of work of one
 */
export function erlangC(rate: number, mean: number, places: number): number {
  const offered = rate * mean;
  let blocked = 1;
  for (let n = 1; n <= places; n++) blocked = (offered * blocked) / (n + offered * blocked);
  const waits = blocked / (1 - (offered / places) * (1 - blocked));
  return (waits * mean) / (places - offered);
}
