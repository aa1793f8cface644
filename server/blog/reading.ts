import type { BlogFacets, BlogList, BlogPost, BlogSummary, PostStatus } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { countFacets, listPosts, type PostFilter, type PostPage, popularPosts, relatedPosts } from "./list-queries.ts";
import { findPublishedBySlug } from "./queries.ts";
import { atApi, postView, summaryView, topicsOf } from "./view.ts";

const maxRelated = 3;

/** The API's origin for the caller; undefined when unknown. */
type Api = string | undefined;

/** GET /blog and GET /admin/blog. */
export async function listBlog(db: Db, filter: PostFilter, page: PostPage, api: Api): Promise<BlogList> {
  const { rows, total } = await listPosts(db, filter, page);
  const posts = rows.map((row) => atApi(summaryView(row), api));
  const totalPages = Math.max(1, Math.ceil(total / page.limit));
  return { posts, total, page: page.page, totalPages, facets: await facetsOf(db, filter.status) };
}

/** GET /blog/popular */
export async function popularBlog(db: Db, limit: number, api: Api): Promise<BlogSummary[]> {
  return (await popularPosts(db, limit)).map((row) => atApi(summaryView(row), api));
}

/** GET /blog/{slug}, also by a previous slug. @throws Problem `notFound` */
export async function readPost(db: Db, slug: string, api: Api): Promise<BlogPost> {
  const row = await findPublishedBySlug(db, slug);
  if (row === undefined) throw new Problem("notFound", "Blog post not found");
  const like = { id: row.id, language: row.language, topics: topicsOf(row) };
  return atApi(postView(row, await relatedPosts(db, like, maxRelated)), api);
}

/** Topics are case-insensitive, and shown in the spelling of one of their posts. */
async function facetsOf(db: Db, status: PostStatus | undefined): Promise<BlogFacets> {
  const { languages, topics, written } = await countFacets(db, status);
  const spelled = new Map(written.flatMap((row) => topicsOf(row).map((topic) => [topic.toLowerCase(), topic] as const)));
  return {
    languages: languages.map(({ language, count }) => ({ language, count: Number(count) })),
    topics: topics.map(({ topic, count }) => ({ topic: spelled.get(topic) ?? topic, count: Number(count) })),
  };
}
