import { createStore, type ReadableStore } from "#src/browser/store.ts";

/** Older lines are forgotten: a test may run for hours. */
const maxLines = 500;
/** Of one message, in characters. */
const maxText = 4_000;

export interface LogLine {
  id: number;
  /** Milliseconds since the run began. */
  at: number;
  way: "out" | "in";
  /** "frame", "start", "end", or the type of the server's message. */
  kind: string;
  text: string;
}

export interface Timings {
  /** Milliseconds from the first frame to the first interim words. */
  firstPartial: number | null;
  /** From the end of the last phrase to its final words; null when frames go out faster than they were spoken. */
  finalAfter: number | null;
  /** From a frame's leaving to its confirmation, at the last one. */
  roundTrip: number | null;
  frames: number;
  confirmed: number;
}

export interface LiveLog {
  lines: ReadableStore<readonly LogLine[]>;
  timings: ReadableStore<Timings>;
  partial: ReadableStore<string>;
  finals: ReadableStore<readonly string[]>;
  clear(): void;
  add(line: Omit<LogLine, "id">): void;
  measure(change: Partial<Timings>): void;
  say(partial: string, final?: string): void;
}

const nothing: Timings = { firstPartial: null, finalAfter: null, roundTrip: null, frames: 0, confirmed: 0 };

/** What is seen of a run; bounded, whatever its length. */
export function createLiveLog(): LiveLog {
  const lines = createStore<readonly LogLine[]>([]);
  const timings = createStore<Timings>(nothing);
  const partial = createStore("");
  const finals = createStore<readonly string[]>([]);
  let next = 0;
  return {
    lines,
    timings,
    partial,
    finals,
    clear: () => {
      lines.set([]);
      timings.set(nothing);
      partial.set("");
      finals.set([]);
    },
    add: (line) => {
      next += 1;
      lines.set([...lines.get(), { ...line, id: next, text: line.text.slice(0, maxText) }].slice(-maxLines));
    },
    measure: (change) => timings.set({ ...timings.get(), ...change }),
    say: (text, final) => {
      partial.set(text);
      if (final !== undefined) finals.set([...finals.get(), final].slice(-maxLines));
    },
  };
}
