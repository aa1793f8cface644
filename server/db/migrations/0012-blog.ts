import type { Kysely } from "kysely";

/** The blog: posts, reactions and views. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("blog_posts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("slug", "text", (c) => c.notNull().unique())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("summary", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("topics", "text", (c) => c.notNull())
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("generated", "integer", (c) => c.notNull())
    .addColumn("cover", "text")
    .addColumn("minutes", "integer", (c) => c.notNull())
    .addColumn("author_id", "text", (c) => c.references("users.id").onDelete("set null"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("published_at", "bigint")
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("likes", "integer", (c) => c.notNull())
    .addColumn("dislikes", "integer", (c) => c.notNull())
    .addColumn("views", "integer", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("blog_posts_listed").on("blog_posts").columns(["status", "published_at"]).execute();
  await db.schema.createIndex("blog_posts_popular").on("blog_posts").columns(["status", "views"]).execute();
  await db.schema.createIndex("blog_posts_updated").on("blog_posts").column("updated_at").execute();
  await lists(db);
  await readers(db);
}

async function lists(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("blog_topics")
    .addColumn("post_id", "text", (c) => c.notNull().references("blog_posts.id").onDelete("cascade"))
    .addColumn("topic", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("blog_topics_key", ["topic", "post_id"])
    .execute();
  await db.schema.createIndex("blog_topics_post").on("blog_topics").column("post_id").execute();
  await db.schema
    .createTable("blog_slugs")
    .addColumn("slug", "text", (c) => c.primaryKey())
    .addColumn("post_id", "text", (c) => c.notNull().references("blog_posts.id").onDelete("cascade"))
    .execute();
  await db.schema
    .createTable("blog_images")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("width", "integer", (c) => c.notNull())
    .addColumn("height", "integer", (c) => c.notNull())
    .addColumn("size", "integer", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("set null"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
}

async function readers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("blog_reactions")
    .addColumn("post_id", "text", (c) => c.notNull().references("blog_posts.id").onDelete("cascade"))
    .addColumn("reader", "text", (c) => c.notNull())
    .addColumn("reaction", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("blog_reactions_key", ["post_id", "reader"])
    .execute();
  await db.schema
    .createTable("blog_views")
    .addColumn("post_id", "text", (c) => c.notNull().references("blog_posts.id").onDelete("cascade"))
    .addColumn("reader", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("blog_views_key", ["post_id", "reader"])
    .execute();
  await db.schema
    .createTable("blog_days")
    .addColumn("post_id", "text", (c) => c.notNull().references("blog_posts.id").onDelete("cascade"))
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("likes", "integer", (c) => c.notNull())
    .addColumn("dislikes", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("blog_days_key", ["day", "post_id"])
    .execute();
}
