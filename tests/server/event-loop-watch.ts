/** How often the watch looks (ms). */
export const tickMs = 2;

export interface EventLoopWatch {
  /** The most processor time between two looks since it was last asked (ms). */
  read(): number;
}

/**
 * Measures the processor time that this thread takes between two turns of a timer: how long it held the event loop, whatever else the machine
 * is doing meanwhile.
 */
export function watchEventLoop(): EventLoopWatch {
  let before = process.threadCpuUsage();
  let maxMs = 0;
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    maxMs = Math.max(maxMs, (user + system) / 1000);
  }, tickMs).unref();
  return {
    read: () => {
      const max = maxMs;
      maxMs = 0;
      return max;
    },
  };
}
