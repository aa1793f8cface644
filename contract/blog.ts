import * as v from "valibot";
import { AcceptedId, acceptedRows } from "./accepted.ts";

/** SPEC.md section 9, "Popular posts default". */
export const popularDefault = 5;
/** Posts per page of a list, and the largest number that a caller may request. */
export const blogPageSize = 12;
export const maxBlogPage = 100;

/** Small letters, digits and single hyphens. */
export const Slug = v.pipe(v.string(), v.maxLength(120), v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/));
/** Reserved slugs: the page or the server uses these addresses. */
export const reservedSlugs: ReadonlySet<string> = new Set(["admin", "popular", "feed", "images"]);

const LanguageCode = v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/));
const Topic = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40), v.regex(/^[^,]*$/));
export const maxTopics = 10;

export const PostStatus = v.picklist(["draft", "published"]);
export type PostStatus = v.InferOutput<typeof PostStatus>;

/** The orders of GET /admin/blog?sort=: times and numbers descending, titles ascending. */
export const postSorts = ["updated", "created", "published", "title", "views", "likes"] as const;
export type PostSort = (typeof postSorts)[number];

/** An uploaded picture. `width` and `height` in pixels; they reserve its space while it loads. */
export const BlogImage = v.object({
  url: v.string(),
  width: v.pipe(v.number(), v.integer(), v.minValue(1)),
  height: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The description for users who can't see it. */
  alt: v.optional(v.pipe(v.string(), v.maxLength(300)), ""),
});
export type BlogImage = v.InferOutput<typeof BlogImage>;

const count = v.optional(v.number(), 0);

/** SPEC.md section 3, "Blog post"; fields that another server may omit have a default. Dates are ISO 8601. */
export const BlogSummary = v.object({
  id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  title: v.string(),
  slug: v.string(),
  likes: count,
  dislikes: count,
  views: count,
  topics: v.optional(v.array(v.string()), () => []),
  language: v.optional(v.string(), "en"),
  /** Written by a language model. */
  generated: v.optional(v.boolean(), false),
  status: v.optional(PostStatus, "published"),
  /** One or two sentences. */
  summary: v.optional(v.string(), ""),
  cover: v.optional(v.nullable(BlogImage), null),
  /** Reading time in minutes, at least 1; 0 when unknown. */
  minutes: v.optional(v.number(), 0),
  publishedAt: v.optional(v.nullable(v.string()), null),
  updatedAt: v.optional(v.nullable(v.string()), null),
});
export type BlogSummary = v.InferOutput<typeof BlogSummary>;

/** GET /blog/{slug} */
export const BlogPost = v.object({
  ...BlogSummary.entries,
  /** Markdown (CommonMark with GitHub's tables, task lists and strikethrough). HTML in it is not shown. */
  content: v.optional(v.string(), ""),
  author: v.optional(v.nullable(v.string()), null),
  /** The published posts with most topics in common, at most 3. */
  related: v.optional(v.array(BlogSummary), () => []),
});
export type BlogPost = v.InferOutput<typeof BlogPost>;

/** The available filters over the published posts; most frequent first. */
export const BlogFacets = v.object({
  topics: v.array(v.object({ topic: v.string(), count: v.number() })),
  languages: v.array(v.object({ language: v.string(), count: v.number() })),
});
export type BlogFacets = v.InferOutput<typeof BlogFacets>;

export interface BlogList {
  posts: BlogSummary[];
  total: number;
  /** From 1. */
  page: number;
  totalPages: number;
  facets: BlogFacets | undefined;
}

const entries = BlogSummary.entries;
/** The fields of a post that the page does not require, with their defaults. */
const acceptedSummary = {
  id: AcceptedId,
  title: v.string(),
  slug: v.string(),
  likes: v.fallback(v.number(), 0),
  dislikes: v.fallback(v.number(), 0),
  views: v.fallback(v.number(), 0),
  topics: v.fallback(v.array(v.string()), () => []),
  language: v.fallback(v.string(), "en"),
  generated: v.fallback(v.boolean(), false),
  status: v.fallback(PostStatus, "published"),
  summary: v.fallback(v.string(), ""),
  cover: v.fallback(entries.cover, null),
  minutes: v.fallback(v.number(), 0),
  publishedAt: v.fallback(entries.publishedAt, null),
  updatedAt: v.fallback(entries.updatedAt, null),
} satisfies Record<keyof BlogSummary, v.GenericSchema>;
const AcceptedSummary = v.object(acceptedSummary);
/** A bare array of posts, from a server without pagination. */
const AcceptedPosts = acceptedRows(AcceptedSummary);
const acceptedPost = {
  ...acceptedSummary,
  content: v.fallback(v.string(), ""),
  author: v.fallback(v.nullable(v.string()), null),
  related: v.fallback(AcceptedPosts, () => []),
} satisfies Record<keyof BlogPost, v.GenericSchema>;
export const AcceptedPost = v.object(acceptedPost);

/**
 * GET /blog as the page accepts it: "an array, or {posts,total,page,totalPages}, or a single post" (SPEC.md section 7).
 */
export const AcceptedList = v.pipe(
  v.union([
    AcceptedPosts,
    v.object({
      posts: AcceptedPosts,
      total: v.fallback(v.optional(v.number()), undefined),
      page: v.fallback(v.number(), 1),
      totalPages: v.fallback(v.number(), 1),
      facets: v.fallback(v.optional(BlogFacets), undefined),
    }),
    AcceptedSummary,
  ]),
  v.transform((answer): BlogList => {
    if ("posts" in answer) return { ...answer, total: answer.total ?? answer.posts.length, facets: answer.facets };
    const posts = Array.isArray(answer) ? answer : [answer];
    return { posts, total: posts.length, page: 1, totalPages: 1, facets: undefined };
  }),
);

/** The list as our server sends it. */
export const BlogListAnswer = v.object({
  posts: v.array(BlogSummary),
  total: v.number(),
  page: v.number(),
  totalPages: v.number(),
  facets: v.optional(BlogFacets),
});

/** The reader: an account's id, or a random id generated by the browser. */
export const ReaderId = v.pipe(v.string(), v.minLength(8), v.maxLength(100), v.regex(/^[\w-]+$/));

/** Body of POST /blog/{id}/like, /dislike and /remove-reaction, without a token; and of /view. */
export const Reader = v.object({ userId: ReaderId });

export const Reaction = v.picklist(["like", "dislike"]);
export type Reaction = v.InferOutput<typeof Reaction>;

/** The answer to a reaction: the current counts. */
export const ReactionAnswer = v.object({
  likes: v.number(),
  dislikes: v.number(),
  /** This reader's reaction; null for none. Absent when the server does not send it. */
  reaction: v.optional(v.nullable(Reaction)),
});
export type ReactionAnswer = v.InferOutput<typeof ReactionAnswer>;

/**
 * The reaction as the page accepts it: the page knows the reader's own reaction, and keeps its own counts where a
 * server sends none.
 */
export const AcceptedReaction = v.fallback(
  v.object({
    likes: v.fallback(v.optional(v.number()), undefined),
    dislikes: v.fallback(v.optional(v.number()), undefined),
    reaction: v.fallback(v.optional(v.nullable(Reaction)), undefined),
  }),
  {},
);
export type AcceptedReaction = v.InferOutput<typeof AcceptedReaction>;

export interface ReactionCall {
  id: string;
  reaction: Reaction | null;
}

/** A post written by a superuser: POST /admin/blog. */
export const BlogDraft = v.object({
  title: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)),
  /** Absent: made from the title. */
  slug: v.optional(Slug),
  summary: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300)), ""),
  content: v.pipe(v.string(), v.maxLength(200_000)),
  topics: v.optional(v.pipe(v.array(Topic), v.maxLength(maxTopics)), () => []),
  language: v.optional(LanguageCode, "en"),
  status: v.optional(PostStatus, "draft"),
  cover: v.optional(v.nullable(BlogImage), null),
  generated: v.optional(v.boolean(), false),
});
export type BlogDraft = v.InferInput<typeof BlogDraft>;

/** PUT /admin/blog/{id}: absent fields stay unchanged. 409 `conflict` when `revision` is outdated. */
export const BlogUpdate = v.object({
  ...v.partial(v.omit(BlogDraft, ["summary", "topics", "language", "status", "cover", "generated"])).entries,
  summary: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300))),
  topics: v.optional(v.pipe(v.array(Topic), v.maxLength(maxTopics))),
  language: v.optional(LanguageCode),
  status: v.optional(PostStatus),
  cover: v.optional(v.nullable(BlogImage)),
  /** Revision of the post on which the edits are based; absent: any. */
  revision: v.optional(v.number()),
});
export type BlogUpdate = v.InferInput<typeof BlogUpdate>;

/** A post for its editors: GET, POST and PUT /admin/blog[/{id}]. */
export const AdminBlogPost = v.object({
  ...BlogPost.entries,
  revision: v.optional(v.number(), 0),
  createdAt: v.optional(v.nullable(v.string()), null),
});
export type AdminBlogPost = v.InferOutput<typeof AdminBlogPost>;
const AdminPostFields = v.object({
  ...acceptedPost,
  revision: v.fallback(v.number(), 0),
  createdAt: v.fallback(v.nullable(v.string()), null),
});
/** The post as the page accepts it; some servers wrap the response. */
export const AcceptedAdminPost = v.union([
  AdminPostFields,
  v.pipe(
    v.object({ post: AdminPostFields }),
    v.transform(({ post }) => post),
  ),
]);

/** POST /admin/blog/bulk; the response lists the posts that existed. */
export const BulkAction = v.object({
  ids: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(200)),
  action: v.picklist(["publish", "unpublish", "delete"]),
});
export type BulkAction = v.InferOutput<typeof BulkAction>;

export type BulkKind = BulkAction["action"];
export const BulkAnswer = v.object({ done: v.array(v.string()) });

/**
 * GET /admin/blog/slug?title=…|slug=…[&id=…]: a slug for the post, and whether the slug is free (`id`: the post
 * itself).
 */
export const SlugAnswer = v.object({ slug: v.string(), free: v.boolean() });

/** The largest uploaded picture, in bytes. */
export const maxImageBytes = 10 * 1024 * 1024;
/** POST /admin/blog/upload-image, multipart field `image`. Sizes in pixels, absent when a server does not send them. */
export const ImageAnswer = v.object({ imageUrl: v.string(), width: v.optional(v.number()), height: v.optional(v.number()) });
export type ImageAnswer = v.InferOutput<typeof ImageAnswer>;

export interface BlogQuery {
  /** From 1. */
  page: number;
  /** Posts with any of these topics; empty: all posts. */
  topics: readonly string[];
  /** "": any language. */
  language: string;
  /** Whether written by a language model; null: either. */
  generated: boolean | null;
}

/** One page of the list. */
export interface PostsQuery {
  /** From 1. */
  page: number;
  search: string;
  status: "all" | "draft" | "published";
  topic: string;
  language: string;
  /** Whether written by a language model. */
  generated: "all" | "yes" | "no";
}
