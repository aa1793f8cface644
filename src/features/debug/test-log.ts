import { createStore } from "#src/browser/store.ts";

/** Older lines are dropped, because a test may run for hours. */
const maxLines = 500;
/** Maximum characters of one message. */
const maxText = 4_000;

export interface LogLine {
  id: number;
  /** Ms since the run began. */
  at: number;
  way: "out" | "in";
  /** "frame", "start", "end", or the type of the server's message. */
  kind: string;
  text: string;
}

export interface Timings {
  /** Ms from the first frame to the first interim words. */
  firstPartial: number | null;
  /** Ms from the end of the last phrase to its final words; null when frames are sent faster than real time. */
  finalAfter: number | null;
  /** Ms from sending the last frame to its acknowledgment. */
  roundTrip: number | null;
  frames: number;
  confirmed: number;
}

export type LiveLog = ReturnType<typeof createLiveLog>;

const nothing: Timings = { firstPartial: null, finalAfter: null, roundTrip: null, frames: 0, confirmed: 0 };

/** The log of a run, bounded in size. */
export function createLiveLog() {
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
    add: (line: Omit<LogLine, "id">) => {
      next += 1;
      lines.set([...lines.get(), { ...line, id: next, text: line.text.slice(0, maxText) }].slice(-maxLines));
    },
    measure: (change: Partial<Timings>) => timings.set({ ...timings.get(), ...change }),
    say: (text: string, final?: string) => {
      partial.set(text);
      if (final !== undefined) finals.set([...finals.get(), final].slice(-maxLines));
    },
  };
}
