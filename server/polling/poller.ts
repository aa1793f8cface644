import type { Bus, Topic } from "#server/bus/bus.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { inRequestContext } from "#server/log/request-context.ts";

interface PollerParts {
  /** Of the poller, in the log. */
  name: string;
  log: Log;
  bus: Pick<Bus, "subscribe">;
  /** Says that something may be due. */
  topic: Topic;
  pollMs: number;
}

export interface Poller {
  /** Polls now, or once more after the poll that is under way. */
  wake(): void;
  /** Ends it; resolves when the last poll has ended. */
  close(): Promise<void>;
}

/** Polls at once, every `pollMs`, and when the bus says that something may be due; one poll at a time. */
export function startPoller({ name, log, bus, topic, pollMs }: PollerParts, poll: () => Promise<unknown>): Poller {
  let polling: Promise<unknown> | undefined;
  let again = false;
  let isClosed = false;
  const wake = () => {
    if (isClosed) return;
    again = polling !== undefined;
    // Not as part of the request that has woken it: what is due is anybody's.
    polling ??= inRequestContext(undefined, poll)
      .catch((error: unknown) => log.error(name, describeError(error)))
      .finally(() => {
        polling = undefined;
        if (again) wake();
      });
  };
  const timer = setInterval(wake, pollMs);
  const stopListening = bus.subscribe(topic, wake);
  wake();
  return {
    wake,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      stopListening();
      await polling;
    },
  };
}
