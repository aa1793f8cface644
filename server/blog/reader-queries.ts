import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Reaction, ReactionAnswer } from "#contract/index.ts";
import { countOnDay } from "#server/blog-analytics/queries.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { dayOf } from "#server/metrics/days.ts";
import type { BlogReader } from "./reader.ts";

/** Records of readers are stored until the day has ended in every time zone, in ms. */
const retentionMs = 2 * 24 * 60 * 60 * 1000;

const dayMs = 24 * 60 * 60 * 1000;
/**
 * Maximum number of readers per network and day, because an office or a school may share one network: for one post,
 * those with the server's cookie and those with their own id; and for all posts, those with their own id. A cookie is
 * only issued with a reaction that was counted like this, which limits how many can be collected.
 */
const maxKnown = 50;
const maxNew = 10;
const maxNewEverywhere = 50;

const hash = (...parts: string[]) => createHash("sha256").update(parts.join("\0")).digest("hex");

/**
 * Sets a reader's reaction to a post: one per reader, however often it is sent. Readers who are new to a post are
 * limited per network and day (UTC), so that invented ids have little effect.
 * @param reaction null removes it
 * @param at epoch ms
 * @returns undefined if this post does not exist or is not published
 * @throws Problem `tooManyRequests` at the limit
 */
export function react(
  db: Db,
  postId: string,
  { id, isKnown, network }: BlogReader,
  reaction: Reaction | null,
  at: number,
): Promise<ReactionAnswer | undefined> {
  const reader = hash(postId, id);
  const from = hash(dayOf(at), network);
  return db.transaction().execute(async (t) => {
    const post = await countersOf(t, postId);
    if (post === undefined) return undefined;
    const own = t.selectFrom("blog_reactions").where("post_id", "=", postId).where("reader", "=", reader);
    const before = await own.select(["reaction", "created_at"]).executeTakeFirst();
    if ((before?.reaction ?? null) === reaction) return { likes: post.likes, dislikes: post.dislikes, reaction };
    if (before === undefined) await refuseCrowd(t, { postId, from, isKnown, at });
    else {
      await t.deleteFrom("blog_reactions").where("post_id", "=", postId).where("reader", "=", reader).execute();
      await countOnDay(t, postId, dayOf(before.created_at), changeOf(before.reaction, -1));
    }
    if (reaction !== null) {
      await t.insertInto("blog_reactions").values({ post_id: postId, reader, reaction, created_at: at, network: from }).execute();
      await countOnDay(t, postId, dayOf(at), changeOf(reaction, 1));
    }
    const likes = post.likes + Number(reaction === "like") - Number(before?.reaction === "like");
    const dislikes = post.dislikes + Number(reaction === "dislike") - Number(before?.reaction === "dislike");
    await t.updateTable("blog_posts").set({ likes, dislikes }).where("id", "=", postId).execute();
    return { likes, dislikes, reaction };
  });
}

/** @throws Problem `tooManyRequests` until the day is over */
async function refuseCrowd(t: Db, { postId, from, isKnown, at }: { postId: string; from: string; isKnown: boolean; at: number }) {
  const { here, all } = await t
    .selectFrom("blog_reactions")
    .select([
      sql<number>`count(*)`.as("all"),
      sql<number>`coalesce(sum(case when post_id = ${postId} then 1 else 0 end), 0)`.as("here"),
    ])
    .where("network", "=", from)
    .executeTakeFirstOrThrow();
  const isCrowd = isKnown ? Number(here) >= maxKnown : Number(here) >= maxNew || Number(all) >= maxNewEverywhere;
  if (isCrowd) throw new Problem("tooManyRequests", undefined, { retryAfter: Math.ceil((dayMs - (at % dayMs)) / 1000) });
}

const changeOf = (reaction: Reaction, by: number) => (reaction === "like" ? { likes: by } : { dislikes: by });

/**
 * Counts a reader of a post once a day (UTC).
 * @param readerId from the cookie, else chosen by the reader
 * @param at epoch ms
 * @returns the views; undefined if this post does not exist or is not published
 */
export function countView(db: Db, postId: string, readerId: string, at: number): Promise<number | undefined> {
  const day = dayOf(at);
  return db.transaction().execute(async (t) => {
    const post = await countersOf(t, postId);
    if (post === undefined) return undefined;
    const added = await t
      .insertInto("blog_views")
      .values({ post_id: postId, reader: hash(postId, day, readerId), created_at: at })
      .onConflict((conflict) => conflict.columns(["post_id", "reader"]).doNothing())
      .returning("post_id")
      .executeTakeFirst();
    if (added === undefined) return post.views;
    await countOnDay(t, postId, day, { views: 1 });
    await t
      .updateTable("blog_posts")
      .set({ views: post.views + 1 })
      .where("id", "=", postId)
      .execute();
    return post.views + 1;
  });
}

function countersOf(t: Db, postId: string) {
  return t
    .selectFrom("blog_posts")
    .select(["views", "likes", "dislikes"])
    .where("id", "=", postId)
    .where("status", "=", "published")
    .executeTakeFirst();
}

/** Deletes records of readers and of reactions' networks for past days: the counts stay. @param now epoch ms */
export async function deletePastReaders(db: Db, now: number): Promise<void> {
  await db
    .updateTable("blog_reactions")
    .set({ network: null })
    .where("network", "is not", null)
    .where("created_at", "<", now - retentionMs)
    .execute();
  const due = db
    .selectFrom("blog_views")
    .select(["post_id", "reader"])
    .where("created_at", "<", now - retentionMs)
    .limit(1000);
  await db
    .deleteFrom("blog_views")
    .where(({ refTuple }) => refTuple("post_id", "reader"), "in", due.$asTuple("post_id", "reader"))
    .execute();
}
