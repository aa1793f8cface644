import type { Insertable, Selectable, Updateable } from "kysely";
import { folded } from "#contract/search/terms.ts";
import { uncountPosts } from "#server/blog-analytics/queries.ts";
import type { Db } from "#server/db/open.ts";
import { idleWithout, noteUses } from "./image-queries.ts";
import type { BlogPostTable } from "./tables.ts";

export type PostRow = Selectable<BlogPostTable>;
/** A post as lists show it: without its text. */
export type PostSummaryRow = Omit<PostRow, "content" | "haystack">;
/** The author's name; null without an author. */
export type NamedPostRow = PostRow & { author: string | null };

export const postSummaryColumns = [
  "id",
  "slug",
  "title",
  "summary",
  "topics",
  "language",
  "status",
  "generated",
  "cover",
  "minutes",
  "author_id",
  "created_at",
  "updated_at",
  "published_at",
  "revision",
  "likes",
  "dislikes",
  "views",
] as const;

/** A title in lower case, by which posts are sorted, and folded, in which they are searched. */
const haystackOf = (title: string): string => `${title.toLowerCase()}\n${folded(title)}`;

/** Adds a post with its topics. To be called in a transaction. @param topics as they were entered */
export async function insertPost(t: Db, row: Omit<Insertable<BlogPostTable>, "haystack" | "topics">, topics: readonly string[]) {
  await t
    .insertInto("blog_posts")
    .values({ ...row, topics: JSON.stringify(topics), haystack: haystackOf(row.title) })
    .execute();
  await setTopics(t, row.id, topics);
  await noteUses(t, row.id, `${row.cover ?? ""} ${row.content}`, row.updated_at);
}

type PostChange = Omit<Updateable<BlogPostTable>, "id" | "revision" | "haystack" | "topics"> &
  Pick<PostRow, "title" | "content" | "cover" | "updated_at">;

/** Changes a post and counts the change. To be called in a transaction. @param topics undefined: unchanged */
export async function changePost(t: Db, id: string, change: PostChange, topics?: readonly string[]): Promise<void> {
  await t
    .updateTable("blog_posts")
    .set((eb) => ({
      ...change,
      ...(topics === undefined ? {} : { topics: JSON.stringify(topics) }),
      haystack: haystackOf(change.title),
      revision: eb("revision", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
  if (topics !== undefined) await setTopics(t, id, topics);
  await noteUses(t, id, `${change.cover ?? ""} ${change.content}`, change.updated_at);
}

async function setTopics(t: Db, id: string, topics: readonly string[]): Promise<void> {
  await t.deleteFrom("blog_topics").where("post_id", "=", id).execute();
  const searched = [...new Set(topics.map((topic) => topic.toLowerCase()))];
  if (searched.length === 0) return;
  await t
    .insertInto("blog_topics")
    .values(searched.map((topic) => ({ post_id: id, topic })))
    .execute();
}

function namedPosts(db: Db) {
  return db
    .selectFrom("blog_posts")
    .leftJoin("users", "users.id", "blog_posts.author_id")
    .selectAll("blog_posts")
    .select((eb) => eb.fn<string | null>("nullif", ["users.name", eb.val("")]).as("author"));
}

export function findPost(db: Db, id: string): Promise<NamedPostRow | undefined> {
  return namedPosts(db).where("blog_posts.id", "=", id).executeTakeFirst();
}

export async function findPublishedBySlug(db: Db, slug: string): Promise<NamedPostRow | undefined> {
  const published = namedPosts(db).where("blog_posts.status", "=", "published");
  const found = await published.where("blog_posts.slug", "=", slug).executeTakeFirst();
  if (found !== undefined) return found;
  return published
    .innerJoin("blog_slugs", "blog_slugs.post_id", "blog_posts.id")
    .where("blog_slugs.slug", "=", slug)
    .executeTakeFirst();
}

/**
 * Call it in a transaction.
 * @param at epoch ms
 * @returns the ids of the deleted posts
 */
export async function deletePosts(t: Db, ids: readonly string[], at: number): Promise<string[]> {
  await uncountPosts(t, ids);
  const idle = await idleWithout(t, ids, at);
  const gone = await t.deleteFrom("blog_posts").where("id", "in", ids).returning("id").execute();
  await idle();
  return gone.map(({ id }) => id);
}

export async function slugUser(db: Db, slug: string): Promise<string | undefined> {
  const now = await db.selectFrom("blog_posts").select("id").where("slug", "=", slug).executeTakeFirst();
  if (now !== undefined) return now.id;
  const before = await db.selectFrom("blog_slugs").select("post_id").where("slug", "=", slug).executeTakeFirst();
  return before?.post_id;
}

/**
 * The used slugs among this one and those that begin with it and a hyphen, including previous slugs of posts.
 * @param except a post whose slugs are left out
 */
export async function slugsLike(db: Db, slug: string, except = ""): Promise<Set<string>> {
  // The upper bound of the range: "." is the character after "-".
  const [from, to] = [slug, `${slug}.`];
  const now = await db
    .selectFrom("blog_posts")
    .select("slug")
    .where("slug", ">=", from)
    .where("slug", "<", to)
    .where("id", "!=", except)
    .execute();
  const before = await db
    .selectFrom("blog_slugs")
    .select("slug")
    .where("slug", ">=", from)
    .where("slug", "<", to)
    .where("post_id", "!=", except)
    .execute();
  return new Set([...now, ...before].map((row) => row.slug));
}

/** Keeps a post's previous slug. To be called in the transaction that changes the slug. */
export async function keepOldSlug(t: Db, postId: string, { old, current }: { old: string; current: string }): Promise<void> {
  await t.deleteFrom("blog_slugs").where("slug", "=", current).execute();
  await t
    .insertInto("blog_slugs")
    .values({ slug: old, post_id: postId })
    .onConflict((conflict) => conflict.column("slug").doUpdateSet({ post_id: postId }))
    .execute();
}

/** The posts that a person has written, with their texts, the oldest first. */
export function postsOfAuthor(db: Db, userId: string): Promise<PostRow[]> {
  return db.selectFrom("blog_posts").selectAll().where("author_id", "=", userId).orderBy("created_at").execute();
}
