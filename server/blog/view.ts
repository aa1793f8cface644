import * as v from "valibot";
import { type AdminBlogPost, BlogImage, type BlogPost, type BlogSummary } from "#contract/index.ts";
import { withImagesAt } from "./image-address.ts";
import type { NamedPostRow, PostSummaryRow } from "./queries.ts";

const Topics = v.fallback(v.array(v.string()), () => []);
const Cover = v.fallback(v.nullable(BlogImage), null);

export function topicsOf(row: { topics: string }): string[] {
  return v.parse(Topics, JSON.parse(row.topics));
}

export function coverOf(row: { cover: string | null }): BlogImage | null {
  return row.cover === null ? null : v.parse(Cover, JSON.parse(row.cover));
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export function summaryView(row: PostSummaryRow): BlogSummary {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    likes: row.likes,
    dislikes: row.dislikes,
    views: row.views,
    topics: topicsOf(row),
    language: row.language,
    generated: row.generated === 1,
    status: row.status,
    summary: row.summary,
    cover: coverOf(row),
    minutes: row.minutes,
    publishedAt: dateOf(row.published_at),
    updatedAt: dateOf(row.updated_at),
  };
}

export function postView(row: NamedPostRow, related: readonly PostSummaryRow[]): BlogPost {
  return { ...summaryView(row), content: row.content, author: row.author, related: related.map(summaryView) };
}

export function adminView(row: NamedPostRow): AdminBlogPost {
  return { ...postView(row, []), revision: row.revision, createdAt: dateOf(row.created_at) };
}

/** Completes the addresses of our pictures with the API's origin for the caller; undefined: unknown. */
export function atApi<Post extends BlogSummary & { content?: string; related?: BlogSummary[] }>(
  post: Post,
  api: string | undefined,
): Post {
  const { cover, content, related } = post;
  return {
    ...post,
    cover: cover === null ? null : { ...cover, url: withImagesAt(cover.url, api) },
    ...(content === undefined ? {} : { content: withImagesAt(content, api) }),
    ...(related === undefined ? {} : { related: related.map((other) => atApi(other, api)) }),
  };
}
