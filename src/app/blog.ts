import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";
import { type BlogQuery, blogListMachine, selectIsLoadingPosts, selectList } from "../../machines/blog-list.ts";
import { createBlogApi } from "../api/blog.ts";
import { topicsMost } from "../api/contract/index.ts";
import { createCall } from "../api/http.ts";
import { inspected } from "./inspection.ts";
import { plainSend } from "./session.ts";

export const blogApi = createBlogApi(createCall(plainSend));

const machine = blogListMachine.provide({
  actors: {
    fetchPosts: fromPromise(({ input, signal }) => blogApi.list(input, signal)),
    fetchPopular: fromPromise(({ signal }) => blogApi.popular(signal)),
  },
});
export type BlogListActor = ActorRefFrom<typeof machine>;

/** What the address says after its question mark. Whatever is wrong there counts as not said. */
export interface BlogSearch {
  page?: number | undefined;
  /** Joined by commas. */
  topics?: string | undefined;
  language?: string | undefined;
  generated?: boolean | undefined;
}

/** The router reads "2024" and "true" of an address as a number and a truth value. */
const Text = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));
const Topics = v.pipe(
  Text,
  v.transform((text) => [...new Set(text.split(",").map((topic) => topic.trim()))].filter((topic) => topic !== "")),
  v.transform((topics) => topics.slice(0, topicsMost)),
);
const Query = v.object({
  page: v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 1),
  topics: v.fallback(Topics, () => []),
  language: v.fallback(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/)), ""),
  generated: v.fallback(v.nullable(v.boolean()), null),
});

export function queryOf(search: unknown): BlogQuery {
  return v.parse(Query, v.is(v.record(v.string(), v.unknown()), search) ? search : {});
}

/** The address of a query: only what differs from the whole blog's first page. */
export function searchOf({ page, topics, language, generated }: BlogQuery): BlogSearch {
  return {
    topics: topics.length > 0 ? topics.join(",") : undefined,
    language: language || undefined,
    generated: generated ?? undefined,
    page: page > 1 ? page : undefined,
  };
}

let list: BlogListActor | undefined;

/**
 * The list as the address wants it. It lives as long as the page: who comes back to it sees at once what was there.
 * Resolves when there is something to show.
 */
export async function openBlog(search: unknown, signal: AbortSignal): Promise<BlogListActor> {
  const query = queryOf(search);
  if (list === undefined) list = createActor(machine, { ...inspected(), input: { query } }).start();
  else list.send({ type: "query.asked", query });
  const actor = list;
  await waitFor(actor, (now) => selectList(now) !== null || !selectIsLoadingPosts(now), { signal });
  return actor;
}
