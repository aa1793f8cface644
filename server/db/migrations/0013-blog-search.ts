import { type Kysely, sql } from "kysely";

/**
 * Covering indexes for filtering and ordering the blog's lists: columns after a row's text are reached only by reading
 * all of it. Case-insensitive title search. Records which posts use which images.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("blog_posts")
    .addColumn("haystack", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await sql`update blog_posts set haystack = lower(title)`.execute(db);
  await db.schema
    .createIndex("blog_posts_lists")
    .on("blog_posts")
    .columns(["status", "published_at", "id", "language", "generated", "created_at", "updated_at", "views", "likes", "haystack"])
    .execute();
  await db.schema
    .createIndex("blog_posts_favourites")
    .on("blog_posts")
    .columns(["status", "views", "likes", "published_at", "id"])
    .execute();
  await db.schema
    .createIndex("blog_posts_shown")
    .on("blog_posts")
    .columns(["id", "status", "published_at", "language"])
    .execute();
  await db.schema
    .createIndex("blog_posts_addresses")
    .on("blog_posts")
    .columns(["status", "published_at", "slug", "updated_at"])
    .execute();
  await db.schema.createIndex("blog_posts_created").on("blog_posts").columns(["created_at"]).execute();
  await db.schema.createIndex("blog_posts_author").on("blog_posts").column("author_id").execute();
  await db.schema.createIndex("blog_slugs_post").on("blog_slugs").column("post_id").execute();
  await db.schema.createIndex("blog_views_created").on("blog_views").column("created_at").execute();
  await images(db);
}

async function images(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("blog_images")
    .addColumn("idle_since", "bigint", (c) => c.defaultTo(0))
    .execute();
  await db.schema.createIndex("blog_images_idle").on("blog_images").column("idle_since").execute();
  await db.schema
    .createTable("blog_image_uses")
    .addColumn("post_id", "text", (c) => c.notNull().references("blog_posts.id").onDelete("cascade"))
    .addColumn("image_id", "text", (c) => c.notNull().references("blog_images.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("blog_image_uses_key", ["image_id", "post_id"])
    .execute();
  await db.schema.createIndex("blog_image_uses_post").on("blog_image_uses").column("post_id").execute();
}
