import { type FeedPauseReason, maxFeeds } from "#contract/index.ts";
import type { Entry } from "#server/uploads/fetching/feed.ts";
import { type Known, knownIn } from "./known.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The ms between two polls, and their maximum random shift, so that not all are at the full hour. */
const pollMs = hour;
const jitter = 0.1;
/** After failures, at most this long (milliseconds). */
const longestMs = day;
/** The time and the number of failures after which a feed is paused. */
const failingMs = 7 * day;
const failuresToPause = 10;

/** New episodes of one poll: the oldest of them, so that the next poll finds the others. */
export const maxNew = 50;
/** The number of waiting episodes above which a feed is not polled, until fewer wait. */
export const maxWaiting = 100;
export const fewWaiting = 50;
/** The number of former episodes of a feed that are still recognized: some leave a feed and come back. */
const maxGone = 2000;
/** The ms by which an episode may appear in its feed after its publication. */
const lateMs = 7 * day;
/** The ms after which a waiting episode is tried again. */
export const waitingMs = hour;
/** An address that can't be reached is tried so often, with waits that double (milliseconds). */
export const maxAttempts = 8;
export const retryMs = (attempts: number): number => 5 * minute * 2 ** Math.min(attempts - 1, 7);

/** @param isUnlimited whether the person pays, or is a superuser */
export const feedLimit = (isUnlimited: boolean): number => (isUnlimited ? maxFeeds.premium : maxFeeds.free);

/**
 * The ms until a feed's next poll.
 * @param failures in sequence
 * @param random 0 to 1
 */
export function waitAfter(failures: number, random: number): number {
  const wait = Math.min(longestMs, pollMs * 2 ** Math.min(failures, 10));
  return Math.round(wait * (1 + jitter * (2 * random - 1)));
}

/**
 * Whether a failed poll pauses the feed, and why.
 * @param answered HTTP status
 * @param failures in sequence, including this one
 * @param since epoch ms of the first of them
 * @param now epoch ms
 */
export function pauseAfter(
  answered: number | undefined,
  { failures, since, now }: { failures: number; since: number; now: number },
): FeedPauseReason | undefined {
  if (answered === 410) return "gone";
  return failures >= failuresToPause && now - since >= failingMs ? "failing" : undefined;
}

/** The result of a feed's poll. */
export interface Found {
  /** Entries to transcribe, the newest first. */
  wanted: Entry[];
  /** Entries to record as known, without transcribing them. */
  others: Entry[];
  /** The next poll will find more. */
  isMore: boolean;
  /** Keys of what need no longer be known. */
  forgotten: string[];
}

/** When an episode was published, epoch ms; now if it has no date or a future one. */
export const publishedAt = (entry: Entry, now: number): number => Math.min(entry.publishedAt ?? now, now);

/**
 * Finds the new episodes of a feed: unknown ones that were not published long before the known ones, which would be the
 * back catalogue under new names. Without dates, a feed without known entries has new names, and only its first episode
 * is used.
 * @param entries the newest first
 */
export function newIn(entries: readonly Entry[], known: readonly Known[]): Found {
  const { isKnown, isNoted, isPresent } = knownIn(entries, known);
  const unknown = entries.filter((entry) => !isKnown(entry));
  const newest = known.reduce((latest, { published_at }) => Math.max(latest, published_at), 0);
  const isRenamed = known.length > 0 && unknown.length === entries.length;
  const mayBeNew = unknown.filter((entry) => entry.publishedAt === null || entry.publishedAt > newest - lateMs);
  const undated = mayBeNew.filter((entry) => entry.publishedAt === null);
  const passed = new Set(isRenamed ? undated.slice(1) : []);
  const wanted = mayBeNew.filter((entry) => !passed.has(entry));
  const left = new Set(wanted);
  const gone = known.filter((episode) => !isPresent(episode) && episode.state !== "waiting");
  return {
    wanted: wanted.slice(-maxNew),
    others: entries.filter((entry) => !left.has(entry) && !isNoted(entry)),
    isMore: wanted.length > maxNew,
    forgotten: gone
      .sort((one, other) => other.found_at - one.found_at)
      .slice(maxGone)
      .map(({ key }) => key),
  };
}
