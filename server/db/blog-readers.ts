import { createHash } from "node:crypto";
import type { Reaction, ReactionAnswer } from "../../src/api/contract/index.ts";
import { countOnDay, dayOf } from "./blog-days.ts";
import type { Db } from "./open.ts";

/** Who has read something is kept until the day is over everywhere (milliseconds). */
const keptMs = 2 * 24 * 60 * 60 * 1000;

const hash = (...parts: string[]) => createHash("sha256").update(parts.join("\0")).digest("hex");

/**
 * What a reader thinks of a post from now on: a reader has one opinion, however often it is sent.
 * @param reaction null takes it back
 * @param at epoch ms
 * @returns undefined when there is no such post for readers
 */
export function react(
  db: Db,
  postId: string,
  userId: string,
  reaction: Reaction | null,
  at: number,
): Promise<ReactionAnswer | undefined> {
  const reader = hash(postId, userId);
  return db.transaction().execute(async (t) => {
    const post = await countersOf(t, postId);
    if (post === undefined) return undefined;
    const own = t.selectFrom("blog_reactions").where("post_id", "=", postId).where("reader", "=", reader);
    const before = await own.select(["reaction", "created_at"]).executeTakeFirst();
    if ((before?.reaction ?? null) === reaction) return { likes: post.likes, dislikes: post.dislikes, reaction };
    if (before !== undefined) {
      await t.deleteFrom("blog_reactions").where("post_id", "=", postId).where("reader", "=", reader).execute();
      await countOnDay(t, postId, dayOf(before.created_at), changeOf(before.reaction, -1));
    }
    if (reaction !== null) {
      await t.insertInto("blog_reactions").values({ post_id: postId, reader, reaction, created_at: at }).execute();
      await countOnDay(t, postId, dayOf(at), changeOf(reaction, 1));
    }
    const likes = post.likes + Number(reaction === "like") - Number(before?.reaction === "like");
    const dislikes = post.dislikes + Number(reaction === "dislike") - Number(before?.reaction === "dislike");
    await t.updateTable("blog_posts").set({ likes, dislikes }).where("id", "=", postId).execute();
    return { likes, dislikes, reaction };
  });
}

const changeOf = (reaction: Reaction, by: number) => (reaction === "like" ? { likes: by } : { dislikes: by });

/** Counts a reader of a post once a day (UTC). @param at epoch ms @returns the views; undefined when there is no such post for readers */
export function countView(db: Db, postId: string, userId: string, at: number): Promise<number | undefined> {
  const day = dayOf(at);
  return db.transaction().execute(async (t) => {
    const post = await countersOf(t, postId);
    if (post === undefined) return undefined;
    const added = await t
      .insertInto("blog_views")
      .values({ post_id: postId, reader: hash(postId, day, userId), created_at: at })
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

/** Forgets who has read what on days that are over: their numbers stay. @param now epoch ms */
export async function forgetReaders(db: Db, now: number): Promise<void> {
  const due = db
    .selectFrom("blog_views")
    .select(["post_id", "reader"])
    .where("created_at", "<", now - keptMs)
    .limit(1000);
  await db
    .deleteFrom("blog_views")
    .where(({ refTuple }) => refTuple("post_id", "reader"), "in", due.$asTuple("post_id", "reader"))
    .execute();
}
