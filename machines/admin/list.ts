import { assign, fromPromise, setup } from "xstate";
import type { ListPage } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

type AdminListEvent<Query> =
  /** The address changed: show another page, search or filter. */
  | { type: "query.changed"; query: Query }
  /** The person retries, or the page knows that what is listed has changed. */
  | { type: "refresh.requested" }
  /** The page: the list may have changed by itself. Fetched silently; only a failure is shown. */
  | { type: "poll.due" };

interface AdminListContext<Row, Query> {
  query: Query;
  /** The latest answer; it stays while the next one is fetched. Null before the first answer. */
  shown: ListPage<Row> | null;
  /** Why the fetch failed: an error code of the contract. */
  error: string | null;
}

/** One machine for every list, generic in the types of its rows and its query. */
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
      assignQuery: assign({ query: (_, { query }: { query: Query }) => query }),
      assignPage: assign((_, shown: ListPage<Row>) => ({ shown, error: null })),
      assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
    },
  }).createMachine({
    id: "adminList",
    context: ({ input }) => ({ query: input.query, shown: null, error: null }),
    initial: "loading",
    on: {
      "query.changed": { target: ".loading", actions: withEvent("assignQuery") },
      // An answer in flight may already be stale.
      "refresh.requested": ".loading",
    },
    states: {
      loading: {
        invoke: {
          src: "fetchPage",
          input: ({ context }) => ({ query: context.query }),
          onDone: { target: "settled", actions: withOutput("assignPage") },
          onError: { target: "failed", actions: withEvent("assignError") },
        },
      },
      polling: {
        invoke: {
          src: "fetchPage",
          input: ({ context }) => ({ query: context.query }),
          onDone: { target: "settled", actions: withOutput("assignPage") },
          onError: { target: "failed", actions: withEvent("assignError") },
        },
      },
      settled: { on: { "poll.due": "polling" } },
      failed: { on: { "poll.due": "polling" } },
    },
  });
}

/** A list of the admin panel, fetched page by page: the current page stays visible until the next one has arrived. */
export const adminListMachine = createAdminListMachine<unknown, unknown>();

/** The parts of a snapshot that the selectors read, whatever the row type. */
interface Shown<Row, Query> {
  value: unknown;
  context: AdminListContext<Row, Query>;
}

/** Null before the first answer. */
export const selectListPage = <Row, Query>({ context }: Shown<Row, Query>): ListPage<Row> | null => context.shown;
/** The last query. */
export const selectListQuery = <Row, Query>({ context }: Shown<Row, Query>): Query => context.query;
export const selectListIsLoading = ({ value }: Shown<unknown, unknown>): boolean => value === "loading";
/** An error code of the contract; null unless the last fetch failed. */
export const selectListError = ({ value, context }: Shown<unknown, unknown>): string | null =>
  value === "failed" ? context.error : null;
