import { assign, fromPromise, setup } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type AdminListEvent<Query> =
  /** The address: another page, search or filter is to be shown. */
  | { type: "query.changed"; query: Query }
  /** The person tries again; the page: what is listed has changed. */
  | { type: "refresh.requested" }
  /** The page: what is listed may have changed by itself. It is looked at without a word, unless it can't be. */
  | { type: "poll.due" };

interface AdminListContext<Row, Query> {
  query: Query;
  /** What came last: it stays while something else is fetched. Null before the first answer. */
  shown: ListPage<Row> | null;
  /** Why it could not be fetched: a code of the contract. */
  error: string | null;
}

/** The same chart for every list, with the type of its rows and of what is asked. */
export function createAdminListMachine<Row, Query>() {
  return setup({
    types: {
      context: {} as AdminListContext<Row, Query>,
      events: {} as AdminListEvent<Query>,
      input: {} as { query: Query },
    },
    actors: {
      fetchPage: fromPromise<ListPage<Row>, { query: Query }>(async () => notProvided("fetchPage")),
    },
    actions: {
      keepQuery: assign({ query: (_, { query }: { query: Query }) => query }),
      keepPage: assign((_, { output }: { output: ListPage<Row> }) => ({ shown: output, error: null })),
      keepError: assign({ error: (_, { error }: { error: unknown }) => codeOf(error) }),
    },
  }).createMachine({
    id: "adminList",
    context: ({ input }) => ({ query: input.query, shown: null, error: null }),
    initial: "loading",
    on: {
      "query.changed": { target: ".loading", actions: { type: "keepQuery", params: ({ event }) => event } },
      // An answer that is on its way may be too old already.
      "refresh.requested": ".loading",
    },
    states: {
      loading: {
        invoke: {
          src: "fetchPage",
          input: ({ context }) => ({ query: context.query }),
          onDone: { target: "settled", actions: { type: "keepPage", params: ({ event }) => event } },
          onError: { target: "failed", actions: { type: "keepError", params: ({ event }) => event } },
        },
      },
      polling: {
        invoke: {
          src: "fetchPage",
          input: ({ context }) => ({ query: context.query }),
          onDone: { target: "settled", actions: { type: "keepPage", params: ({ event }) => event } },
          onError: { target: "failed", actions: { type: "keepError", params: ({ event }) => event } },
        },
      },
      settled: { on: { "poll.due": "polling" } },
      failed: { on: { "poll.due": "polling" } },
    },
  });
}

/** A list of the admin panel, fetched page by page: the page that is shown stays until the next one has come. */
export const adminListMachine = createAdminListMachine<unknown, unknown>();

/** What the selectors read of a snapshot, whatever its rows are. */
interface Shown<Row, Query> {
  value: unknown;
  context: AdminListContext<Row, Query>;
}

/** Null before the first answer. */
export const selectListPage = <Row, Query>({ context }: Shown<Row, Query>): ListPage<Row> | null => context.shown;
/** What was asked for last. */
export const selectListQuery = <Row, Query>({ context }: Shown<Row, Query>): Query => context.query;
export const selectListIsLoading = ({ value }: Shown<unknown, unknown>): boolean => value === "loading";
/** A code of the contract; null unless the last fetch failed. */
export const selectListError = ({ value, context }: Shown<unknown, unknown>): string | null =>
  value === "failed" ? context.error : null;
