import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { BlogFacets, BlogList, BlogQuery, BlogSummary } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type BlogListEvent =
  /** The page was entered: the existing list may be stale. */
  | { type: "list.entered"; query: BlogQuery }
  /** The reader has chosen a filter; the page: its address has changed, which may be the same change. */
  | { type: "query.changed"; query: BlogQuery }
  /** The reader retries after a failure. */
  | { type: "retry.requested" };

interface BlogListContext {
  query: BlogQuery;
  /** The latest answer, perhaps of the previous query; null before the first, and after a failure. */
  list: BlogList | null;
  /** The available filters; null until the server has sent them. */
  facets: BlogFacets | null;
  popular: readonly BlogSummary[];
  /** The last failure; null after a success. */
  failure: string | null;
}

/**
 * The filtered posts, page by page, with the popular ones beside them. The previous list stays until the next one has
 * arrived.
 */
export const blogListMachine = setup({
  types: { context: {} as BlogListContext, events: {} as BlogListEvent, input: {} as { query: BlogQuery } },
  actors: {
    fetchPosts: fromPromise<BlogList, BlogQuery>(async () => notProvided("fetchPosts")),
    fetchPopular: fromPromise<readonly BlogSummary[]>(async () => notProvided("fetchPopular")),
  },
  actions: {
    rememberQuery: assign({ query: (_, { query }: { query: BlogQuery }) => query }),
    rememberList: assign(({ context }, list: BlogList) => ({ list, facets: list.facets ?? context.facets, failure: null })),
    rememberPopular: assign({ popular: (_, popular: readonly BlogSummary[]) => popular }),
    fail: assign((_, { error }: Failed) => ({ list: null, failure: codeOf(error) })),
  },
  guards: { isNew: ({ context }, { query }: { query: BlogQuery }) => JSON.stringify(query) !== JSON.stringify(context.query) },
}).createMachine({
  id: "blogList",
  context: ({ input }) => ({ query: input.query, list: null, facets: null, popular: [], failure: null }),
  type: "parallel",
  states: {
    posts: {
      initial: "loading",
      on: {
        "list.entered": { target: ".loading", actions: withEvent("rememberQuery") },
        "query.changed": { guard: withEvent("isNew"), target: ".loading", actions: withEvent("rememberQuery") },
      },
      states: {
        loading: {
          invoke: {
            src: "fetchPosts",
            input: ({ context }) => context.query,
            onDone: { target: "ready", actions: withOutput("rememberList") },
            onError: { target: "failed", actions: withEvent("fail") },
          },
        },
        ready: {},
        failed: { on: { "retry.requested": "loading" } },
      },
    },
    popular: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            src: "fetchPopular",
            onDone: { target: "ready", actions: withOutput("rememberPopular") },
            onError: "failed",
          },
        },
        ready: {},
        failed: { on: { "retry.requested": "loading" } },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof blogListMachine>;

export const selectQuery = (snapshot: Snapshot): BlogQuery => snapshot.context.query;
export const selectList = (snapshot: Snapshot): BlogList | null => snapshot.context.list;
export const selectFacets = (snapshot: Snapshot): BlogFacets | null => snapshot.context.facets;
export const selectPopular = (snapshot: Snapshot): readonly BlogSummary[] => snapshot.context.popular;
export const selectIsLoadingPosts = (snapshot: Snapshot): boolean => snapshot.matches({ posts: "loading" });
export const selectIsLoadingPopular = (snapshot: Snapshot): boolean => snapshot.matches({ popular: "loading" });
export const selectPopularFailed = (snapshot: Snapshot): boolean => snapshot.matches({ popular: "failed" });
/** Why there is no list; null if there is one, or it is loading. */
export const selectPostsFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches({ posts: "failed" }) ? snapshot.context.failure : null;
