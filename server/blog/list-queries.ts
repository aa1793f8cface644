import { type SelectQueryBuilder, sql } from "kysely";
import type { BlogFacets, PostSort, PostStatus } from "#contract/index.ts";
import { folded } from "#contract/search/terms.ts";
import type { Db } from "#server/db/open.ts";
import { countRows } from "#server/db/results.ts";
import type { Schema } from "#server/db/schema.ts";
import { findPost, type NamedPostRow, type PostSummaryRow, postSummaryColumns } from "./queries.ts";

const facetTopics = 40;

export interface PostFilter {
  /** Undefined: both. */
  status: PostStatus | undefined;
  /** In lower case: posts with at least one of them; all posts if empty. */
  topics: readonly string[];
  language: string | undefined;
  generated: boolean | undefined;
  /** A part of the title, case-insensitive; "" matches everything. */
  search: string;
}

/** One page (from 1) of the filtered posts. */
export interface PostPage {
  page: number;
  limit: number;
  sort: PostSort;
  /** The language whose posts come first, those of its regions included; undefined: none. */
  first?: string | undefined;
}

const columnOf = {
  updated: "updated_at",
  created: "created_at",
  published: "published_at",
  title: "haystack",
  views: "views",
  likes: "likes",
} as const;

/** One page of a list, and the total number of posts. */
export async function listPosts(db: Db, filter: PostFilter, { page, limit, sort, first }: PostPage) {
  const found = filtered(db, filter);
  const total = await countRows(found);
  const order = sort === "title" ? "asc" : "desc";
  const base = first?.split("-")[0];
  const ids = found
    .select("id")
    .$if(base !== undefined, (posts) =>
      posts.orderBy(sql`case when language = ${base} or language like ${`${base}-%`} then 0 else 1 end`),
    )
    // A draft that was never published comes last.
    .orderBy(columnOf[sort], (by) => (order === "asc" ? by.asc() : sort === "published" ? by.desc().nullsLast() : by.desc()))
    .orderBy("id", order)
    .limit(limit)
    .offset((page - 1) * limit);
  const rows = await inOrder(db, await ids.execute());
  return { rows, total };
}

function filtered(db: Db, { status, topics, language, generated, search }: PostFilter) {
  let found: SelectQueryBuilder<Schema, "blog_posts", object> = db.selectFrom("blog_posts");
  if (status !== undefined) found = found.where("status", "=", status);
  if (language !== undefined) found = found.where("language", "=", language);
  if (generated !== undefined) found = found.where("generated", "=", generated ? 1 : 0);
  if (topics.length > 0) {
    found = found.where("id", "in", db.selectFrom("blog_topics").select("post_id").where("topic", "in", topics));
  }
  if (search === "") return found;
  const pattern = `%${folded(search)
    .trim()
    .replace(/[\\%_]/g, "\\$&")}%`;
  return found.where(sql<boolean>`haystack like ${pattern} escape '\\'`);
}

export async function popularPosts(db: Db, limit: number): Promise<PostSummaryRow[]> {
  const ids = db
    .selectFrom("blog_posts")
    .select("id")
    .where("status", "=", "published")
    .orderBy("views", "desc")
    .orderBy("likes", "desc")
    .orderBy("published_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  return inOrder(db, await ids.execute());
}

/**
 * Published posts related to one: those with the most common topics first, then those in its language, then the newest.
 */
export async function relatedPosts(
  db: Db,
  post: { id: string; language: string; topics: readonly string[] },
  limit: number,
): Promise<PostSummaryRow[]> {
  if (post.topics.length === 0) return [];
  const topics = post.topics.map((topic) => topic.toLowerCase());
  const ids = db
    .selectFrom("blog_topics")
    .innerJoin("blog_posts", "blog_posts.id", "blog_topics.post_id")
    .select("blog_posts.id")
    .where("topic", "in", topics)
    .where("blog_posts.status", "=", "published")
    .where("blog_posts.id", "!=", post.id)
    .groupBy("blog_posts.id")
    .orderBy(({ fn }) => fn.countAll(), "desc")
    .orderBy(sql`case when blog_posts.language = ${post.language} then 0 else 1 end`)
    .orderBy("blog_posts.published_at", "desc")
    .limit(limit);
  return inOrder(db, await ids.execute());
}

async function inOrder(db: Db, ids: readonly { id: string }[]): Promise<PostSummaryRow[]> {
  if (ids.length === 0) return [];
  const wanted = ids.map(({ id }) => id);
  const rows = await db.selectFrom("blog_posts").select(postSummaryColumns).where("id", "in", wanted).execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return wanted.flatMap((id) => known.get(id) ?? []);
}

/** The available filters. Topics are in lower case, each with one post that has it, whose spelling is shown. */
export async function countFacets(db: Db, status: PostStatus | undefined) {
  const posts = db.selectFrom("blog_posts").$if(status !== undefined, (q) => q.where("status", "=", status ?? "published"));
  const languages: BlogFacets["languages"] = await posts
    .select(["language", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("language")
    .orderBy("count", "desc")
    .orderBy("language")
    .execute();
  const topics = await countTopics(db, status);
  const ids = [...new Set(topics.map(({ post_id }) => post_id))];
  const written =
    ids.length === 0 ? [] : await db.selectFrom("blog_posts").select(["id", "topics"]).where("id", "in", ids).execute();
  return { languages, topics, written };
}

/** Counts all posts by an index alone, and subtracts the unpublished ones, which are few. */
async function countTopics(db: Db, status: PostStatus | undefined) {
  const counted = db
    .selectFrom("blog_topics")
    .select(["topic", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("topic");
  const all = await counted.select(({ fn }) => fn.max("post_id").as("post_id")).execute();
  if (status === undefined) return mostFrequent(all);
  const others = db.selectFrom("blog_posts").select("id").where("status", "!=", status);
  const off = new Map((await counted.where("post_id", "in", others).execute()).map((row) => [row.topic, Number(row.count)]));
  return mostFrequent(all.map((row) => ({ ...row, count: Number(row.count) - (off.get(row.topic) ?? 0) })));
}

function mostFrequent<Row extends { topic: string; count: number }>(rows: readonly Row[]): Row[] {
  const found = rows.filter(({ count }) => Number(count) > 0);
  return found.toSorted((a, b) => Number(b.count) - Number(a.count) || (a.topic < b.topic ? -1 : 1)).slice(0, facetTopics);
}

/** The slugs of the published posts, the newest first, and when each was changed (epoch ms). */
export function publishedAddresses(db: Db, limit: number): Promise<{ slug: string; updated_at: number }[]> {
  return db
    .selectFrom("blog_posts")
    .select(["slug", "updated_at"])
    .where("status", "=", "published")
    .orderBy("published_at", "desc")
    .limit(limit)
    .execute();
}

export async function newestPosts(
  db: Db,
  filter: { topics: readonly string[]; language: string | undefined },
  limit: number,
): Promise<NamedPostRow[]> {
  const ids = filtered(db, { ...filter, status: "published", generated: undefined, search: "" })
    .select("id")
    .orderBy("published_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  const rows = await Promise.all((await ids.execute()).map(({ id }) => findPost(db, id)));
  return rows.flatMap((row) => row ?? []);
}
