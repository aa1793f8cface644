import type { Bus, Topic } from "#server/bus/bus.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { inRequestContext } from "#server/log/request-context.ts";

interface PollerParts {
  /** The name of the poller in the log. */
  name: string;
  log: Log;
  pollMs: number;
  /** Says that something may be due. Default: only `wake` does. */
  due?: { bus: Pick<Bus, "subscribe">; topic: Topic };
}

export interface Poller {
  /** Polls now, or again after the current poll. */
  wake(): void;
  /** Ends it; resolves when the last poll has ended. */
  close(): Promise<void>;
}

/** Polls at once, every `pollMs`, and when something may be due; one poll at a time. */
export function startPoller({ name, log, pollMs, due }: PollerParts, poll: () => Promise<unknown>): Poller {
  let polling: Promise<unknown> | undefined;
  let again = false;
  let isClosed = false;
  const wake = () => {
    if (isClosed) return;
    again = polling !== undefined;
    // Not as part of the request that triggered it: due work may belong to anybody.
    polling ??= inRequestContext(undefined, poll)
      .catch((error: unknown) => log.error(name, describeError(error)))
      .finally(() => {
        polling = undefined;
        if (again) wake();
      });
  };
  const timer = setInterval(wake, pollMs);
  const stopListening = due?.bus.subscribe(due.topic, wake);
  wake();
  return {
    wake,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      stopListening?.();
      await polling;
    },
  };
}
