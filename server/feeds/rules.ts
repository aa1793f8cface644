import { type FeedPauseReason, maxFeeds } from "#contract/index.ts";
import type { Entry } from "#server/uploads/fetching/feed.ts";
import { type Known, knownIn } from "./known.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Between two looks (milliseconds), and the most of it by which each comes earlier or later: not all at the full hour. */
const pollMs = hour;
const jitter = 0.1;
/** After failures, at most this long (milliseconds). */
const longestMs = day;
/** So long, and so often, a feed may fail before it is no longer looked at. */
const failingMs = 7 * day;
const failuresToPause = 10;

/** New episodes of one poll: the oldest of them, so that the next poll finds the others. */
export const maxNew = 50;
/** So many episodes of a feed may wait before it is no longer looked at, until so few are left. */
export const maxWaiting = 100;
export const fewWaiting = 50;
/** Episodes that are no longer in a feed, and known all the same: some leave it and come back. */
const maxGone = 2000;
/** What is published may come into its feed so much later (milliseconds). */
const lateMs = 7 * day;
/** What keeps an episode waiting for its person is looked at again after this (milliseconds). */
export const waitingMs = hour;
/** An address that can't be reached is tried so often, with waits that double (milliseconds). */
export const maxAttempts = 8;
export const retryMs = (attempts: number): number => 5 * minute * 2 ** Math.min(attempts - 1, 7);

/** @param isUnlimited whether the person pays, or is a superuser */
export const feedLimit = (isUnlimited: boolean): number => (isUnlimited ? maxFeeds.premium : maxFeeds.free);

/**
 * When a feed is looked at next (milliseconds from now).
 * @param failures in a row @param random 0 to 1
 */
export function waitAfter(failures: number, random: number): number {
  const wait = Math.min(longestMs, pollMs * 2 ** Math.min(failures, 10));
  return Math.round(wait * (1 + jitter * (2 * random - 1)));
}

/**
 * Whether a failed poll is the last one, and why.
 * @param answered HTTP status @param failures in a row, this one counted @param since when the first of them was, epoch ms @param now epoch ms
 */
export function pauseAfter(
  answered: number | undefined,
  { failures, since, now }: { failures: number; since: number; now: number },
): FeedPauseReason | undefined {
  if (answered === 410) return "gone";
  return failures >= failuresToPause && now - since >= failingMs ? "failing" : undefined;
}

/** What a poll of a feed has found. */
export interface Found {
  /** To be transcribed, the newest first. */
  wanted: Entry[];
  /** To be noted as known, and not to be transcribed. */
  others: Entry[];
  /** There are more that the next poll is to find. */
  isMore: boolean;
  /** Keys of what need no longer be known. */
  forgotten: string[];
}

/** When an episode was published, epoch ms: one that says none, or a time to come, now. */
export const publishedAt = (entry: Entry, now: number): number => Math.min(entry.publishedAt ?? now, now);

/**
 * Which episodes of a feed are new: unknown, and not published long before what is known, which would be the back catalogue under new
 * names. Without dates, a feed in which nothing is known any more has other names, and its first episode alone is taken.
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
