import type { Bus } from "#server/bus/bus.ts";
import { describeError } from "#server/log/log.ts";
import { inRequestContext } from "#server/log/request-context.ts";
import { claimEpisode } from "./episode-queries.ts";
import { type LookParts, lookAt } from "./look.ts";
import { claimFeed } from "./queries.ts";
import { type TakeParts, takeEpisode } from "./take.ts";

/** Looks and episodes at the same time, of all people and of one: whose servers hang keeps nobody else's waiting. */
const atOnce = 8;
const ofOnePerson = 2;
/** What a process had that died is done again after this long (milliseconds): longer than any look. */
const leaseMs = 2 * 60_000;
/** How often the database is polled for what is due (milliseconds). */
const defaultPollMs = 15_000;

export interface PollerParts extends LookParts, TakeParts {
  bus: Bus;
}

/** Replacements for tests. */
export interface FeedTimes {
  /** Milliseconds. */
  pollMs?: number;
}

/**
 * Looks at the feeds that people follow, and has their new episodes transcribed, alongside any number of other processes. The rows of
 * `feeds` and `feed_episodes` are the truth: each look and each episode is leased.
 */
export interface FeedPoller {
  /** Looks under way are called off; another process makes them again, or the next start. */
  close(): Promise<void>;
}

export function openFeeds(parts: PollerParts, { pollMs = defaultPollMs }: FeedTimes = {}): FeedPoller {
  const { log, bus } = parts;
  const closing = new AbortController();
  const running = new Map<Promise<void>, string>();
  const start = ({ userId, work }: Due) => {
    const done = work(closing.signal)
      .catch((error: unknown) => {
        // Its lease ends, and it is done again.
        if (!closing.signal.aborted) log.error("feeds", describeError(error));
      })
      .finally(() => {
        running.delete(done);
        wake();
      });
    running.set(done, userId);
  };
  const pump = async () => {
    while (running.size < atOnce && !closing.signal.aborted) {
      const due = await nextDue(parts, busyPeople([...running.values()]));
      if (due === undefined) return;
      start(due);
    }
  };
  let pumping: Promise<void> | undefined;
  let again = false;
  const wake = () => {
    if (closing.signal.aborted) return;
    again = pumping !== undefined;
    // Not as part of the request that has woken it.
    pumping ??= inRequestContext(undefined, pump)
      .catch((error: unknown) => log.error("feeds", describeError(error)))
      .finally(() => {
        pumping = undefined;
        if (again) wake();
      });
  };
  const timer = setInterval(wake, pollMs);
  const stopListening = bus.subscribe("feeds.due", wake);
  wake();
  return {
    close: async () => {
      closing.abort(new DOMException("The server stops.", "AbortError"));
      clearInterval(timer);
      stopListening();
      await pumping;
      await Promise.all(running.keys());
    },
  };
}

interface Due {
  userId: string;
  work(closing: AbortSignal): Promise<void>;
}

/** Episodes that were found go before looks for others. */
async function nextDue(parts: PollerParts, without: readonly string[]): Promise<Due | undefined> {
  const now = parts.now();
  const claim = { now, leaseUntil: now + leaseMs, without };
  const episode = await claimEpisode(parts.db, claim);
  if (episode !== undefined) return { userId: episode.user_id, work: () => takeEpisode(parts, episode) };
  const feed = await claimFeed(parts.db, claim);
  return feed && { userId: feed.user_id, work: (closing) => lookAt(parts, feed, closing) };
}

/** Those for whom as much is under way as may be. */
function busyPeople(people: readonly string[]): string[] {
  const counts = Map.groupBy(people, (person) => person);
  return [...counts].filter(([, own]) => own.length >= ofOnePerson).map(([person]) => person);
}
