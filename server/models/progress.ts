/** The progress of an installation's current step. */
interface Progress {
  bytesDone: number;
  /** Null when not known. */
  bytesTotal: number | null;
  /** Over the last seconds; null when nothing is downloaded, or it is not known yet. */
  bytesPerSecond: number | null;
  secondsLeft: number | null;
  host: string | null;
}

export interface ProgressMeter {
  /** A step begins. */
  begin(): void;
  /** @param done bytes of the step @param total null when not known */
  note(done: number, total: number | null): void;
  from(host: string): void;
  read(): Progress;
}

/** Speed is measured over so long (ms). */
const windowMs = 8_000;
/** A shorter time is not meaningful (ms). */
const shortestMs = 500;

/** @param now epoch milliseconds */
export function createProgressMeter(now: () => number): ProgressMeter {
  let marks: { at: number; done: number }[] = [];
  let [done, total, host]: [number, number | null, string | null] = [0, null, null];

  const speed = (): number | null => {
    const [first] = marks;
    const last = marks.at(-1);
    if (first === undefined || last === undefined || now() - first.at < shortestMs) return null;
    return Math.round(((last.done - first.done) * 1000) / (now() - first.at));
  };
  return {
    begin: () => {
      [marks, done, total] = [[], 0, null];
    },
    note: (newDone, newTotal) => {
      [done, total] = [newDone, newTotal];
      const at = now();
      const last = marks.at(-1);
      // One mark per tenth of a second is enough.
      if (last === undefined || at - last.at >= 100) marks.push({ at, done });
      marks = marks.filter((mark, index) => at - mark.at <= windowMs || index === marks.length - 1);
    },
    from: (name) => {
      host = name;
    },
    read: () => {
      const bytesPerSecond = speed();
      const isKnown = total !== null && bytesPerSecond !== null && bytesPerSecond > 0;
      const secondsLeft = isKnown ? Math.ceil((Number(total) - done) / bytesPerSecond) : null;
      return { bytesDone: done, bytesTotal: total, bytesPerSecond, secondsLeft, host };
    },
  };
}
