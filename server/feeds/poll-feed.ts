import type { FeedPauseReason } from "#contract/index.ts";
import { sendEmail } from "#server/account/emails.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import type { Problem } from "#server/errors/problem.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { FetchProblem } from "#server/outbound/fetch-problem.ts";
import { isUnlimited } from "#server/subscription/usage.ts";
import type { Entry } from "#server/uploads/fetching/feed.ts";
import { countWaiting, deleteEpisodes, type EpisodeRow, insertEpisodes, listKnown, takeBackLimited } from "./episode-queries.ts";
import { changeFeed, type FeedRow, findFeed, listFeeds } from "./queries.ts";
import { type ReadFeed, type ReadParts, readFeed, whyUnread } from "./read.ts";
import { feedLimit, maxWaiting, newIn, pauseAfter, publishedAt, waitAfter, waitingMs } from "./rules.ts";

export interface PollParts extends DbParts, ReadParts {
  log: Log;
  origins: Origins;
  outbox: Outbox;
}

/**
 * Checks a feed for new episodes.
 * @param feed as it was leased
 * @throws the signal's reason; then nothing is recorded
 */
export async function pollFeed(parts: PollParts, feed: FeedRow, closing: AbortSignal): Promise<void> {
  const { db, log } = parts;
  if (!(await isInPlan(db, feed))) return pause(parts, feed, "plan");
  const known = { etag: feed.etag, lastModified: feed.last_modified };
  try {
    const read = await readFeed(parts, feed.url, known, { person: feed.user_id, signal: closing });
    await noteRead(parts, feed, read);
    // Neither its address nor its title is for the log.
    log.info("feed read", { id: feed.id, episodes: read?.entries.length });
  } catch (error) {
    const problem = whyUnread(error);
    if (problem === undefined) throw error;
    log.info("feed not read", { id: feed.id, failures: feed.failures + 1, error: problem.code });
    await noteFailure(parts, feed, problem);
  }
}

/** Whether it is among as many of the person's feeds as the plan has: the oldest are. */
async function isInPlan(db: Db, feed: FeedRow): Promise<boolean> {
  const active = (await listFeeds(db, feed.user_id)).filter(({ paused_at }) => paused_at === null);
  const place = active.findIndex(({ id }) => id === feed.id);
  return place < feedLimit(await isUnlimited(db, feed.user_id));
}

const ownedBy = ({ id, user_id }: FeedRow) => ({ id, userId: user_id });

/** Reads it again, if it is still leased to this process. */
async function leased(t: Db, feed: FeedRow): Promise<FeedRow | undefined> {
  const row = await findFeed(t, ownedBy(feed));
  return row?.next_at === feed.next_at && row.paused_at === null ? row : undefined;
}

/** @param read undefined: it has not changed */
async function noteRead(parts: PollParts, feed: FeedRow, read: ReadFeed | undefined): Promise<void> {
  const { db, now } = parts;
  const at = now();
  const reason = await db.transaction().execute(async (t) => {
    if ((await leased(t, feed)) === undefined) return undefined;
    const isMore = read !== undefined && (await noteEntries(t, feed, read.entries, at));
    await takeBackLimited(t, feed.id, at + waitingMs);
    const isFull = (await countWaiting(t, feed.id)) >= maxWaiting;
    await changeFeed(t, ownedBy(feed), {
      ...(read !== undefined && {
        // Read again, even if it has not changed, for what this poll has left.
        etag: isMore ? null : read.version.etag,
        last_modified: isMore ? null : read.version.lastModified,
        ...(read.title !== "" && { title: read.title }),
      }),
      ...{ failures: 0, failing_since: null, error: null, looked_at: at, next_at: at + waitAfter(0, Math.random()) },
      ...(isFull && { paused_at: at, pause_reason: "full" as const }),
    });
    return isFull ? "full" : undefined;
  });
  if (reason !== undefined) await reportPaused(parts, feed, reason);
}

/** @returns whether the next poll will find more */
async function noteEntries(t: Db, feed: FeedRow, entries: readonly Entry[], at: number): Promise<boolean> {
  const { wanted, others, forgotten, isMore } = newIn(entries, await listKnown(t, feed.id));
  const rows = [
    ...wanted.map((entry) => episodeRow(feed, entry, "waiting", at)),
    ...others.map((entry) => episodeRow(feed, entry, "seen", at)),
  ];
  await insertEpisodes(t, rows);
  await deleteEpisodes(t, feed.id, forgotten);
  return isMore;
}

/** @param at epoch ms */
export function episodeRow(
  { id, user_id }: Pick<FeedRow, "id" | "user_id">,
  entry: Entry,
  state: "waiting" | "seen",
  at: number,
): EpisodeRow {
  const isWanted = state === "waiting";
  return {
    feed_id: id,
    key: entry.key,
    user_id,
    title: isWanted ? entry.title : "",
    url: isWanted ? entry.url : "",
    seconds: entry.seconds,
    published_at: publishedAt(entry, at),
    found_at: at,
    state,
    reason: null,
    attempts: 0,
    next_at: at,
    transcription_id: null,
  };
}

async function noteFailure(parts: PollParts, feed: FeedRow, problem: Problem): Promise<void> {
  const { db, now } = parts;
  const at = now();
  const failures = feed.failures + 1;
  const since = feed.failing_since ?? at;
  const answered = problem instanceof FetchProblem ? problem.answered : undefined;
  const reason = pauseAfter(answered, { failures, since, now: at });
  const isNoted = await db.transaction().execute(async (t) => {
    if ((await leased(t, feed)) === undefined) return false;
    const wait = waitAfter(failures, Math.random());
    const failed = { failures, failing_since: since, error: problem.code, looked_at: at, next_at: at + wait };
    const pausing = reason !== undefined && { paused_at: at, pause_reason: reason };
    await changeFeed(t, ownedBy(feed), { ...failed, ...pausing });
    return true;
  });
  if (isNoted && reason !== undefined) await reportPaused(parts, feed, reason);
}

async function pause(parts: PollParts, feed: FeedRow, reason: FeedPauseReason): Promise<void> {
  const { db, now } = parts;
  const isNoted = await db.transaction().execute(async (t) => {
    if ((await leased(t, feed)) === undefined) return false;
    await changeFeed(t, ownedBy(feed), { paused_at: now(), pause_reason: reason });
    return true;
  });
  if (isNoted) await reportPaused(parts, feed, reason);
}

async function reportPaused(parts: PollParts, feed: FeedRow, reason: FeedPauseReason): Promise<void> {
  parts.log.warn("feed paused", { feed: feed.id, reason });
  await sendEmail(parts, feed.user_id, "feedPaused", { path: "/settings/transcription" });
}
