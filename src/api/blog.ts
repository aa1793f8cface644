import * as v from "valibot";
import {
  AcceptedList,
  AcceptedPost,
  AcceptedReaction,
  type BlogQuery,
  blogPageSize,
  popularDefault,
  type ReactionCall,
} from "#contract/index.ts";
import type { Call } from "./http.ts";

const of = (id: string, what: string) => `/blog/${encodeURIComponent(id)}/${what}`;
const reactionPaths = { like: "like", dislike: "dislike", none: "remove-reaction" } as const;

/** @param reader the language whose posts come first */
function searchOf({ page, topics, language, generated }: BlogQuery, reader: string): string {
  const search = new URLSearchParams({ page: String(page), limit: String(blogPageSize) });
  if (topics.length > 0) search.set("topics", topics.join(","));
  if (language !== "") search.set("language", language);
  else search.set("first", reader);
  if (generated !== null) search.set("generated", String(generated));
  return search.toString();
}

/** The public calls of the blog, without a token (SPEC.md section 7). All of them throw ApiError. */
export function createBlogApi(call: Call) {
  return {
    /** @param reader the reader's language, whose posts come first */
    list: (query: BlogQuery, reader: string, signal?: AbortSignal) =>
      call(`/blog?${searchOf(query, reader)}`, { schema: AcceptedList, signal }),

    popular: async (signal?: AbortSignal) =>
      (await call(`/blog/popular?limit=${popularDefault}`, { schema: AcceptedList, signal })).posts,

    /** @param slug a current or former slug of the post */
    post: (slug: string, signal?: AbortSignal) => call(`/blog/${encodeURIComponent(slug)}`, { schema: AcceptedPost, signal }),

    react: ({ id, reaction }: ReactionCall, userId: string, signal?: AbortSignal) =>
      call(of(id, reactionPaths[reaction ?? "none"]), { json: { userId }, schema: AcceptedReaction, signal }),

    /** Counts a view. The server counts it once per reader and day. */
    view: (id: string, userId: string, signal?: AbortSignal) =>
      call(of(id, "view"), { json: { userId }, schema: v.unknown(), signal }),
  };
}
