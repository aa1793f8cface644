import type { Bus } from "#server/bus/bus.ts";
import { type DueTask, runDueTasks } from "#server/polling/due-tasks.ts";
import { claimEpisode } from "./episode-queries.ts";
import { type PollParts, pollFeed } from "./poll-feed.ts";
import { claimFeed } from "./queries.ts";
import { type EpisodeParts, transcribeEpisode } from "./transcribe-episode.ts";

/**
 * Concurrent polls and episodes, of all people and of one person, so that one person's hanging servers don't delay
 * others.
 */
const atOnce = 8;
const ofOnePerson = 2;
/** The ms after which a dead process's work is done again: longer than any poll. */
const leaseMs = 2 * 60_000;
/** The ms between polls of the database for due work. */
const defaultPollMs = 15_000;

export interface PollerParts extends PollParts, EpisodeParts {
  bus: Bus;
}

/** Replacements for tests. */
export interface FeedTimes {
  /** Milliseconds. */
  pollMs?: number;
}

/**
 * Polls the feeds that people follow, and has their new episodes transcribed, in parallel with any number of other
 * processes. The rows of `feeds` and `feed_episodes` decide: each poll and each episode is leased.
 */
export interface FeedPoller {
  /** Looks under way are called off; another process makes them again, or the next start. */
  close(): Promise<void>;
}

export function openFeeds(parts: PollerParts, { pollMs = defaultPollMs }: FeedTimes = {}): FeedPoller {
  const { db, now, log, bus } = parts;
  /** Episodes that were found go before looks for others. */
  const claim = async (without: readonly string[]): Promise<DueTask | undefined> => {
    const lease = { now: now(), leaseUntil: now() + leaseMs, without };
    const episode = await claimEpisode(db, lease);
    if (episode !== undefined) return { userId: episode.user_id, run: () => transcribeEpisode(parts, episode) };
    const feed = await claimFeed(db, lease);
    return feed && { userId: feed.user_id, run: (closing) => pollFeed(parts, feed, closing) };
  };
  return runDueTasks({ name: "feeds", log, bus, topic: "feeds.due", pollMs, atOnce, ofOnePerson, claim });
}
