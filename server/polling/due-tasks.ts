import type { Bus, Topic } from "#server/bus/bus.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { startPoller } from "./poller.ts";

/** A task that was claimed. When it throws, its lease ends, and it is done again. */
export interface DueTask {
  userId: string;
  run(closing: AbortSignal): Promise<void>;
}

interface Parts {
  /** The name of the tasks in the log. */
  name: string;
  log: Log;
  bus: Pick<Bus, "subscribe">;
  topic: Topic;
  pollMs: number;
  atOnce: number;
  ofOnePerson: number;
  /** @param without people who already have as many tasks under way as allowed */
  claim(without: readonly string[]): Promise<DueTask | undefined>;
  /** Done before each look for tasks. */
  prepare?(): Promise<void>;
}

/** Runs due tasks, in parallel with any number of other processes. Closing aborts running ones. */
export function runDueTasks({ name, log, bus, topic, pollMs, atOnce, ofOnePerson, claim, prepare }: Parts): {
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const running = new Map<Promise<void>, string>();
  const start = ({ userId, run }: DueTask) => {
    const done = run(closing.signal)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.error(name, describeError(error));
      })
      .finally(() => {
        running.delete(done);
        poller.wake();
      });
    running.set(done, userId);
  };
  const busyPeople = () => {
    const counts = Map.groupBy(running.values(), (userId) => userId);
    return [...counts].filter(([, own]) => own.length >= ofOnePerson).map(([userId]) => userId);
  };
  const poller = startPoller({ name, log, pollMs, due: { bus, topic } }, async () => {
    await prepare?.();
    while (running.size < atOnce && !closing.signal.aborted) {
      const due = await claim(busyPeople());
      if (due === undefined) return;
      start(due);
    }
  });
  return {
    close: async () => {
      closing.abort(new DOMException("The server is stopping.", "AbortError"));
      await poller.close();
      await Promise.all(running.keys());
    },
  };
}
