import { type Kysely, sql } from "kysely";

/** Keeps the blog's analytics fast with a million views: sums by day, and covering indexes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("blog_day_sums")
    .addColumn("day", "text", (c) => c.primaryKey())
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("likes", "integer", (c) => c.notNull())
    .addColumn("dislikes", "integer", (c) => c.notNull())
    .execute();
  await sql`insert into blog_day_sums (day, views, likes, dislikes)
    select day, sum(views), sum(likes), sum(dislikes) from blog_days group by day`.execute(db);
  // A post's text is stored before its counters: summing ten thousand rows would read all texts.
  await db.schema
    .createIndex("blog_posts_counted")
    .on("blog_posts")
    .columns(["status", "generated", "views", "likes", "dislikes", "id"])
    .execute();
  await db.schema.createIndex("blog_days_post").on("blog_days").column("post_id").execute();
  await db.schema
    .createIndex("blog_days_liked")
    .on("blog_days")
    .columns(["day", "likes"])
    .where(sql.ref("likes"), ">", sql.lit(0))
    .execute();
  await db.schema
    .createIndex("blog_days_disliked")
    .on("blog_days")
    .columns(["day", "dislikes"])
    .where(sql.ref("dislikes"), ">", sql.lit(0))
    .execute();
}
