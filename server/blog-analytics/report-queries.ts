import { sql } from "kysely";
import { viewsPerReaction } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema.ts";
import type { BlogDaySumTable } from "./tables.ts";

type PostTable = Schema["blog_posts"];

/** Posts of one status, generated (1) or not (0): their number and sums. */
export interface PostGroup extends Pick<PostTable, "status" | "generated" | "views" | "likes" | "dislikes"> {
  posts: number;
}

/** All posts, by status and by whether a model wrote them. */
export async function sumPostsByKind(db: Db): Promise<PostGroup[]> {
  const groups = await db
    .selectFrom("blog_posts")
    .select((eb) => [
      "status",
      "generated",
      eb.fn.countAll<number>().as("posts"),
      eb.fn.sum<number>("views").as("views"),
      eb.fn.sum<number>("likes").as("likes"),
      eb.fn.sum<number>("dislikes").as("dislikes"),
    ])
    .groupBy(["status", "generated"])
    .execute();
  return groups.map(({ status, generated, ...sums }) => ({
    status,
    generated,
    posts: Number(sums.posts),
    views: Number(sums.views),
    likes: Number(sums.likes),
    dislikes: Number(sums.dislikes),
  }));
}

/** Published posts with a positive `engagementScore` (contract), the highest first. */
export function listTopPosts(db: Db, limit: number): Promise<Pick<PostTable, "id" | "views" | "likes" | "dislikes">[]> {
  const score = sql<number>`views + ${sql.lit(viewsPerReaction)} * (likes - dislikes)`;
  // An index covers this query: the rows with the texts are read only for the few posts in the report.
  return db
    .selectFrom("blog_posts")
    .select(["id", "views", "likes", "dislikes"])
    .where("status", "=", "published")
    .where(score, ">", 0)
    .orderBy(score, "desc")
    .orderBy("views", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export function listLastPublished(db: Db, limit: number): Promise<Pick<PostTable, "id" | "title" | "published_at">[]> {
  return db
    .selectFrom("blog_posts")
    .select(["id", "title", "published_at"])
    .where("status", "=", "published")
    .where("published_at", "is not", null)
    .orderBy("published_at", "desc")
    .limit(limit)
    .execute();
}

/** Views, likes and dislikes per post and day, the newest day first, within a day the most frequent first. */
export function listLastCounts(
  db: Db,
  type: "views" | "likes" | "dislikes",
  limit: number,
): Promise<{ type: string; postId: string; count: number; date: string }[]> {
  return (
    db
      .selectFrom("blog_days")
      .select(["post_id as postId", `${type} as count`, "day as date"])
      .select(sql.lit<string>(type).as("type"))
      // A literal rather than a parameter: SQLite uses a partial index only if the statement contains its condition.
      .where(type, ">", sql.lit(0))
      .orderBy("day", "desc")
      .orderBy(type, "desc")
      .limit(limit)
      .execute()
  );
}

export async function findPostNames(db: Db, ids: readonly string[]): Promise<Map<string, Pick<PostTable, "title" | "slug">>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("blog_posts").select(["id", "title", "slug"]).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The number of posts per topic, without drafts, the most frequent first. */
export async function listTopTopics(db: Db, limit: number): Promise<{ topic: string; count: number }[]> {
  const counted = await db
    .selectFrom("blog_topics")
    .select((eb) => ["topic", eb.fn.countAll<number>().as("count")])
    .where("post_id", "not in", (eb) => eb.selectFrom("blog_posts").select("id").where("status", "=", "draft"))
    .groupBy("topic")
    .orderBy("count", "desc")
    .orderBy("topic")
    .limit(limit)
    .execute();
  return counted.map(({ topic, count }) => ({ topic, count: Number(count) }));
}

/** Daily totals of days with events. @param since the first day: "2026-03-01" */
export function listDaySums(db: Db, since: string): Promise<BlogDaySumTable[]> {
  return db.selectFrom("blog_day_sums").selectAll().where("day", ">=", since).execute();
}
