import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { BlogList, BlogSummary, BulkKind, PostsQuery } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type PostsAdminEvent =
  /** The query in the address. */
  | { type: "query.changed"; query: PostsQuery }
  /** The person, or someone who has changed a post elsewhere. */
  | { type: "refresh.requested" }
  | { type: "selection.toggled"; post: BlogSummary }
  /** Selects all on this page, or none. */
  | { type: "page.selected"; on: boolean }
  | { type: "selection.cleared" }
  /** The person: on the selected posts, or on one. */
  | { type: "action.requested"; action: BulkKind; posts: readonly BlogSummary[] }
  /** The confirmation dialog. */
  | { type: "action.confirmed" }
  | { type: "action.dismissed" }
  /** The person dismisses the result, or retries the rest. */
  | { type: "outcome.dismissed" }
  | { type: "outcome.retried" };

/** The result of an action. */
export interface Outcome {
  action: BulkKind;
  done: readonly BlogSummary[];
  /** Posts that the server no longer has. */
  missing: readonly BlogSummary[];
  failed: readonly BlogSummary[];
  /** An error code of the contract: why they failed. */
  code: string | null;
}

interface PostsAdminContext {
  query: PostsQuery;
  list: BlogList | null;
  loadError: string | null;
  selected: readonly BlogSummary[];
  action: BulkKind;
  /** Posts that are not processed yet. */
  waiting: readonly BlogSummary[];
  outcome: Outcome | null;
}

/** Batch size: progress is shown between batches. */
const portion = 10;

const without = (posts: readonly BlogSummary[], gone: readonly BlogSummary[]) =>
  posts.filter(({ id }) => !gone.some((one) => one.id === id));
const portionOf = ({ waiting }: Pick<PostsAdminContext, "waiting">) => waiting.slice(0, portion);

/** A batch is answered: the posts named in the answer are done. */
function withDone(context: PostsAdminContext, ids: readonly string[]): Partial<PostsAdminContext> {
  const { outcome, selected } = context;
  if (outcome === null) return {};
  const sent = portionOf(context);
  const done = sent.filter(({ id }) => ids.includes(id));
  return {
    waiting: context.waiting.slice(portion),
    selected: without(selected, sent),
    outcome: { ...outcome, done: [...outcome.done, ...done], missing: [...outcome.missing, ...without(sent, done)] },
  };
}

/** All posts for their editors: searched, selected, published and deleted, one or several at once. */
export const postsAdminMachine = setup({
  types: {
    context: {} as PostsAdminContext,
    events: {} as PostsAdminEvent,
    emitted: {} as { type: "action.done"; outcome: Outcome },
    input: {} as { query: PostsQuery },
  },
  actors: {
    load: fromPromise<BlogList, PostsQuery>(async () => notProvided("load")),
    /** Resolves with the ids of the posts that existed. */
    act: fromPromise<readonly string[], { action: BulkKind; ids: readonly string[] }>(async () => notProvided("act")),
  },
  actions: {
    assignQuery: assign({ query: (_, { query }: { query: PostsQuery }) => query }),
    assignList: assign((_, list: BlogList) => ({ list, loadError: null })),
    assignLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    toggle: assign({
      selected: ({ context: { selected } }, { post }: { post: BlogSummary }) =>
        selected.some(({ id }) => id === post.id) ? without(selected, [post]) : [...selected, post],
    }),
    selectPage: assign({
      selected: ({ context: { selected, list } }, { on }: { on: boolean }) => {
        const others = without(selected, list?.posts ?? []);
        return on ? [...others, ...(list?.posts ?? [])] : others;
      },
    }),
    clearSelection: assign({ selected: [] }),
    assignAction: assign((_, { action, posts }: { action: BulkKind; posts: readonly BlogSummary[] }) => ({
      action,
      waiting: posts,
      outcome: null,
    })),
    begin: assign(({ context: { action } }) => ({ outcome: { action, done: [], missing: [], failed: [], code: null } })),
    assignDone: assign(({ context }, ids: readonly string[]) => withDone(context, ids)),
    /** Batches after a failure are not tried: they would fail as well. */
    assignFailed: assign(({ context: { outcome, waiting } }, { error }: Failed) => ({
      waiting: [],
      outcome: outcome && { ...outcome, failed: waiting, code: codeOf(error) },
    })),
    requeueFailed: assign({ waiting: ({ context }) => context.outcome?.failed ?? [] }),
    clearOutcome: assign({ outcome: null }),
    clearWaiting: assign({ waiting: [] }),
    emitDone: emit(({ context: { outcome, action } }) => ({
      type: "action.done" as const,
      outcome: outcome ?? { action, done: [], missing: [], failed: [], code: null },
    })),
  },
  guards: {
    isSome: (_, { posts }: { posts: readonly BlogSummary[] }) => posts.length > 0,
    /** Irreversible actions are confirmed first. */
    isDeletion: (_, { action, posts }: { action: BulkKind; posts: readonly BlogSummary[] }) =>
      action === "delete" && posts.length > 0,
    isMore: ({ context }) => context.waiting.length > 0,
    hasFailed: ({ context }) => (context.outcome?.failed.length ?? 0) > 0,
    /** The last post of the last page was deleted, but an earlier page exists. */
    isBeyond: ({ context: { query } }, list: BlogList) => list.posts.length === 0 && query.page > 1 && list.total > 0,
  },
}).createMachine({
  id: "postsAdmin",
  context: ({ input: { query } }) => ({
    query,
    list: null,
    loadError: null,
    selected: [],
    action: "publish",
    waiting: [],
    outcome: null,
  }),
  type: "parallel",
  states: {
    list: {
      initial: "loading",
      on: {
        "query.changed": { target: ".loading", actions: withEvent("assignQuery") },
        "refresh.requested": ".loading",
      },
      states: {
        loading: {
          invoke: {
            src: "load",
            input: ({ context }) => context.query,
            onDone: [
              {
                guard: withOutput("isBeyond"),
                target: "loading",
                reenter: true,
                actions: {
                  type: "assignQuery",
                  params: ({ context, event }) => ({ query: { ...context.query, page: Math.max(1, event.output.totalPages) } }),
                },
              },
              { target: "loaded", actions: withOutput("assignList") },
            ],
            onError: { target: "failed", actions: withEvent("assignLoadError") },
          },
        },
        loaded: {},
        failed: {},
      },
    },
    selection: {
      on: {
        "selection.toggled": { actions: withEvent("toggle") },
        "page.selected": { actions: withEvent("selectPage") },
        "selection.cleared": { actions: "clearSelection" },
      },
    },
    work: {
      initial: "idle",
      states: {
        idle: {
          on: {
            "action.requested": [
              { guard: withEvent("isDeletion"), target: "confirming", actions: withEvent("assignAction") },
              { guard: withEvent("isSome"), target: "working", actions: [withEvent("assignAction"), "begin"] },
            ],
            "outcome.dismissed": { actions: "clearOutcome" },
            "outcome.retried": { guard: "hasFailed", target: "working", actions: ["requeueFailed", "begin"] },
          },
        },
        confirming: {
          on: {
            "action.confirmed": { target: "working", actions: "begin" },
            "action.dismissed": { target: "idle", actions: "clearWaiting" },
          },
        },
        working: {
          initial: "next",
          states: {
            next: { always: [{ guard: "isMore", target: "sending" }, { target: "#postsAdmin.work.done" }] },
            sending: {
              invoke: {
                src: "act",
                input: ({ context }) => ({ action: context.action, ids: portionOf(context).map(({ id }) => id) }),
                onDone: { target: "next", actions: withOutput("assignDone") },
                onError: { target: "#postsAdmin.work.done", actions: withEvent("assignFailed") },
              },
            },
          },
        },
        done: { entry: "emitDone", always: "idle" },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof postsAdminMachine>;

export const selectQuery = (snapshot: Snapshot): PostsQuery => snapshot.context.query;
/** null until it is loaded; the previous one while another is loading. */
export const selectList = (snapshot: Snapshot): BlogList | null => snapshot.context.list;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches({ list: "loading" });
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches({ list: "failed" }) ? snapshot.context.loadError : null;
export const selectSelected = (snapshot: Snapshot): readonly BlogSummary[] => snapshot.context.selected;
export const selectIsConfirming = (snapshot: Snapshot): boolean => snapshot.matches({ work: "confirming" });
export const selectIsWorking = (snapshot: Snapshot): boolean => snapshot.matches({ work: "working" });
export const selectWaiting = (snapshot: Snapshot): readonly BlogSummary[] => snapshot.context.waiting;
export const selectAction = (snapshot: Snapshot): BulkKind => snapshot.context.action;
/** The result of the last action, also while it runs; null for none. */
export const selectOutcome = (snapshot: Snapshot): Outcome | null => snapshot.context.outcome;
