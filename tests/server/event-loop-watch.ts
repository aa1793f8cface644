/** ms between two samples. */
export const tickMs = 2;

export interface EventLoopWatch {
  /** ms; the highest processor time between two samples since the last read. */
  read(): number;
}

/**
 * Measures this thread's processor time between two timer ticks: how long the thread held the event loop, regardless of
 * the machine's other load.
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
