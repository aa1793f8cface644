import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { ErrorCode } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { countRows } from "#server/db/results.ts";
import type { Known } from "./known.ts";
import type { Claim, FeedRow } from "./queries.ts";
import type { FeedEpisodeTable } from "./tables.ts";

export type EpisodeRow = Selectable<FeedEpisodeTable>;

/** Rows of one statement: databases take so many values at once. */
const portion = 100;

/** The known episodes of a feed. */
export function listKnown(t: Db, feedId: string): Promise<Known[]> {
  return t
    .selectFrom("feed_episodes")
    .select(["key", "url", "state", "published_at", "found_at"])
    .where("feed_id", "=", feedId)
    .execute();
}

/** @param rows times in epoch ms; known episodes stay unchanged */
export async function insertEpisodes(t: Db, rows: readonly Insertable<FeedEpisodeTable>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += portion) {
    await t
      .insertInto("feed_episodes")
      .values(rows.slice(at, at + portion))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function deleteEpisodes(t: Db, feedId: string, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += portion) {
    await t
      .deleteFrom("feed_episodes")
      .where("feed_id", "=", feedId)
      .where("key", "in", keys.slice(at, at + portion))
      .execute();
  }
}

export function countWaiting(t: Db, feedId: string): Promise<number> {
  return countRows(t.selectFrom("feed_episodes").where((eb) => eb.and({ feed_id: feedId, state: "waiting" })));
}

/** An episode whose turn it is, and how its feed wants it. */
export type DueEpisode = EpisodeRow & Pick<FeedRow, "source_language" | "target_language" | "folder_id">;

/** Leases the oldest due episode, and counts an attempt. Episodes of paused feeds are skipped. */
export async function claimEpisode(db: Db, { now, leaseUntil, without }: Claim): Promise<DueEpisode | undefined> {
  for (;;) {
    const due = await findDue(db, now, without);
    if (due === undefined) return undefined;
    const attempts = due.attempts + 1;
    const { numUpdatedRows } = await db
      .updateTable("feed_episodes")
      .set({ attempts, next_at: leaseUntil })
      .where((eb) => eb.and({ feed_id: due.feed_id, key: due.key, state: "waiting", next_at: due.next_at }))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return { ...due, attempts };
  }
}

function findDue(db: Db, now: number, without: readonly string[]): Promise<DueEpisode | undefined> {
  const due = db
    .selectFrom("feed_episodes")
    .innerJoin("feeds", "feeds.id", "feed_episodes.feed_id")
    .innerJoin("users", "users.id", "feed_episodes.user_id")
    .selectAll("feed_episodes")
    .select(["feeds.source_language", "feeds.target_language", "feeds.folder_id"])
    .where("feed_episodes.state", "=", "waiting")
    .where("feed_episodes.next_at", "<=", now)
    .where("users.blocked_at", "is", null)
    .where((eb) => eb.or([eb("feeds.paused_at", "is", null), eb("feeds.pause_reason", "in", ["failing", "gone", "full"])]));
  const free = without.length === 0 ? due : due.where("feed_episodes.user_id", "not in", without);
  return free.orderBy("feed_episodes.next_at").orderBy("feed_episodes.published_at").limit(1).executeTakeFirst();
}

/** @param attempts the number at the claim: if another process has claimed it since, nothing changes */
export async function changeEpisode(
  t: Db,
  { feed_id, key, attempts }: Pick<EpisodeRow, "feed_id" | "key" | "attempts">,
  change: Updateable<FeedEpisodeTable>,
): Promise<void> {
  await t
    .updateTable("feed_episodes")
    .set(change)
    .where((eb) => eb.and({ feed_id, key, attempts }))
    .execute();
}

/**
 * Postpones an episode, and all other due episodes of its person; not those that are being processed.
 * @param now epoch ms
 * @param at epoch ms of the next attempt
 */
export async function putOff(
  t: Db,
  episode: EpisodeRow,
  reason: ErrorCode,
  { now, at }: { now: number; at: number },
): Promise<void> {
  await t
    .updateTable("feed_episodes")
    .set({ reason, next_at: at, attempts: 0 })
    .where((eb) => eb.and({ user_id: episode.user_id, state: "waiting" }))
    .where((eb) =>
      eb.or([eb("next_at", "<=", now), eb.and({ feed_id: episode.feed_id, key: episode.key, attempts: episode.attempts })]),
    )
    .execute();
}

/**
 * Episodes of a feed for which the minutes of the plan did not suffice once their whole length was known wait again.
 * @param at when they are due, epoch ms
 */
export async function takeBackLimited(t: Db, feedId: string, at: number): Promise<void> {
  await t
    .updateTable("feed_episodes")
    .set({ state: "waiting", reason: "limitReached", next_at: at, attempts: 0 })
    .where((eb) => eb.and({ feed_id: feedId, state: "taken" }))
    .where("transcription_id", "in", (select) =>
      select
        .selectFrom("transcriptions")
        .innerJoin("feed_episodes as own", "own.transcription_id", "transcriptions.id")
        .select("transcriptions.id")
        .where((eb) =>
          eb.and({ "own.feed_id": feedId, "transcriptions.status": "failed", "transcriptions.error_code": "limitReached" }),
        )
        .where("transcriptions.deleted_at", "is", null),
    )
    .execute();
}

/** The numbers of a person's episodes, by feed. */
export async function countEpisodes(db: Db, userId: string) {
  const rows = await db
    .selectFrom("feed_episodes")
    .select(["feed_id", "state", sql<string | null>`max(reason)`.as("reason"), sql<number>`count(*)`.as("count")])
    .where("user_id", "=", userId)
    .where("state", "!=", "seen")
    .groupBy(["feed_id", "state"])
    .execute();
  return Map.groupBy(rows, ({ feed_id }) => feed_id);
}

/** The newest episode of a feed that was taken, or waits. */
export function findNewest(db: Db, feedId: string) {
  return db
    .selectFrom("feed_episodes")
    .leftJoin("transcriptions", (join) =>
      join.onRef("transcriptions.id", "=", "feed_episodes.transcription_id").on("transcriptions.deleted_at", "is", null),
    )
    .select(["feed_episodes.title", "transcriptions.id as transcriptionId"])
    .where("feed_episodes.feed_id", "=", feedId)
    .where("feed_episodes.state", "!=", "seen")
    .orderBy("feed_episodes.found_at", "desc")
    .orderBy("feed_episodes.published_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** All of a person's episodes, for the export. */
export function listEpisodesOf(db: Db, userId: string) {
  return db
    .selectFrom("feed_episodes")
    .innerJoin("feeds", "feeds.id", "feed_episodes.feed_id")
    .select([
      "feeds.url as feed",
      "feed_episodes.title",
      "feed_episodes.url",
      "feed_episodes.state",
      "feed_episodes.transcription_id as transcription",
    ])
    .where("feed_episodes.user_id", "=", userId)
    .where("feed_episodes.state", "!=", "seen")
    .orderBy("feed_episodes.found_at")
    .orderBy("feed_episodes.key")
    .execute();
}
