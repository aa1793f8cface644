import { type Kysely, sql } from "kysely";

/**
 * Lists of the blog are filtered and ordered in an index alone: a row has its text in the middle, and what stands behind it is reached
 * only through all of it. Titles can be searched whatever their case.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("blog_posts")
    .addColumn("haystack", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  // Known to SQLite and PostgreSQL alike; what it does not lower is written anew with the post's next change.
  await sql`update blog_posts set haystack = lower(title)`.execute(db);
  const index = (name: string) => db.schema.createIndex(name).on("blog_posts");
  await index("blog_posts_lists").columns(["status", "published_at", "id", "language", "generated"]).execute();
  await index("blog_posts_favourites").columns(["status", "views", "likes", "published_at", "id"]).execute();
  await index("blog_posts_shown").columns(["id", "status", "published_at", "language"]).execute();
  await index("blog_posts_edited").columns(["updated_at", "id", "status", "language", "generated"]).execute();
  await db.schema.createIndex("blog_posts_author").on("blog_posts").column("author_id").execute();
  await db.schema.createIndex("blog_slugs_post").on("blog_slugs").column("post_id").execute();
  await db.schema.createIndex("blog_images_created").on("blog_images").column("created_at").execute();
}
