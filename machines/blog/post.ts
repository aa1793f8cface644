import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { BlogPost } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type BlogPostEvent =
  /** The page is really being viewed: not preloaded, not in a hidden tab. */
  | { type: "page.seen" }
  /** The reader retries after a failure. */
  | { type: "reload.requested" };

/** Emitted to the rest of the page. */
export type BlogPostEmitted = { type: "post.loaded"; post: BlogPost };

interface BlogPostContext {
  /** The slug in the address, which may be a former one of the post. */
  slug: string;
  post: BlogPost | null;
  isSeen: boolean;
  failure: string | null;
}

/** One post of the blog: fetched, shown, and counted as read once it is visible. */
export const blogPostMachine = setup({
  types: {
    context: {} as BlogPostContext,
    events: {} as BlogPostEvent,
    emitted: {} as BlogPostEmitted,
    input: {} as { slug: string },
  },
  actors: {
    fetchPost: fromPromise<BlogPost, { slug: string }>(async () => notProvided("fetchPost")),
    countView: fromPromise<unknown, { id: string }>(async () => notProvided("countView")),
  },
  actions: {
    rememberPost: assign((_, post: BlogPost) => ({ post, failure: null })),
    emitEvent: emit((_, post: BlogPost): BlogPostEmitted => ({ type: "post.loaded", post })),
    rememberSeen: assign({ isSeen: true }),
    fail: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
  },
  guards: {
    isSeen: ({ context }) => context.isSeen,
    isMissing: (_, { error }: Failed) => isGone(error),
  },
}).createMachine({
  id: "blogPost",
  context: ({ input }) => ({ slug: input.slug, post: null, isSeen: false, failure: null }),
  initial: "loading",
  on: { "page.seen": { actions: "rememberSeen" } },
  states: {
    loading: {
      invoke: {
        src: "fetchPost",
        input: ({ context }) => ({ slug: context.slug }),
        onDone: { target: "shown", actions: [withOutput("rememberPost"), withOutput("emitEvent")] },
        onError: [
          { guard: withEvent("isMissing"), target: "missing" },
          { target: "failed", actions: withEvent("fail") },
        ],
      },
    },
    shown: {
      initial: "unseen",
      states: {
        unseen: { always: { guard: "isSeen", target: "counting" } },
        counting: {
          invoke: {
            src: "countView",
            input: ({ context }) => ({ id: present(context.post, "the post").id }),
            onDone: "counted",
            // A view that could not be counted is not worth an error message to a reader.
            onError: "counted",
          },
        },
        counted: {},
      },
    },
    missing: {},
    failed: { on: { "reload.requested": "loading" } },
  },
});

type Snapshot = SnapshotFrom<typeof blogPostMachine>;

export const selectPost = (snapshot: Snapshot): BlogPost | null => snapshot.context.post;
export const selectIsPostMissing = (snapshot: Snapshot): boolean => snapshot.matches("missing");
export const selectIsPostDecided = (snapshot: Snapshot): boolean => !snapshot.matches("loading");
/** A key of `errors`; null when nothing failed, or it is being retried. */
export const selectPostFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.failure : null;
