import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { PostRow } from "./queries.ts";

/** The number of posts of any status, and of published posts, generated posts, and posts with a topic. */
export function countPosts(db: Db): Promise<{ posts: number; published: number; generated: number; tagged: number }> {
  return db
    .selectFrom("blog_posts")
    .select((eb) => [
      eb.fn.countAll<number>().as("posts"),
      sql<number>`count(*) filter (where status = 'published')`.as("published"),
      sql<number>`count(*) filter (where generated = 1)`.as("generated"),
      sql<number>`count(*) filter (where id in (select post_id from blog_topics))`.as("tagged"),
    ])
    .executeTakeFirstOrThrow();
}

/** The number of posts per topic, the most frequent first, and the time of the latest one (epoch ms). */
export function countPostsByTopic(db: Db): Promise<{ topic: string; count: number; last: number }[]> {
  return db
    .selectFrom("blog_topics")
    .innerJoin("blog_posts", "blog_posts.id", "blog_topics.post_id")
    .select((eb) => [
      "topic",
      eb.fn.countAll<number>().as("count"),
      sql<number>`max(coalesce(blog_posts.published_at, blog_posts.created_at))`.as("last"),
    ])
    .groupBy("topic")
    .orderBy("count", "desc")
    .orderBy("topic")
    .execute();
}

/** The number of posts of any status per language, the most frequent first. */
export function countPostsByLanguage(db: Db): Promise<{ language: string; count: number }[]> {
  return db
    .selectFrom("blog_posts")
    .select((eb) => ["language", eb.fn.countAll<number>().as("count")])
    .groupBy("language")
    .orderBy("count", "desc")
    .orderBy("language")
    .execute();
}

/** The topics of all posts, the most frequent first. */
export async function listTopics(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("blog_topics")
    .select("topic")
    .groupBy("topic")
    .orderBy((eb) => eb.fn.countAll(), "desc")
    .execute();
  return rows.map(({ topic }) => topic);
}

/** Titles of posts of any status, the newest first. @param limit default: all */
export function listTitles(db: Db, limit?: number): Promise<Pick<PostRow, "id" | "title">[]> {
  const newest = db.selectFrom("blog_posts").select(["id", "title"]).orderBy("created_at", "desc");
  return (limit === undefined ? newest : newest.limit(limit)).execute();
}
