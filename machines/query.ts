import { assign, fromPromise, setup } from "xstate";
import { type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

type QueryEvent<Data> =
  /** The person retries. */
  | { type: "retry.requested" }
  /** The server's answer to a change made on this page, which updates the data. */
  | { type: "data.changed"; data: Data };

interface QueryContext<Data> {
  /** The latest answer; null before the first. */
  data: Data | null;
  /** Why the last fetch failed; null unless it did. */
  error: unknown;
}

/** One chart for all answers, generic in the type of the answer. */
export function createQueryMachine<Data>() {
  return setup({
    types: { context: {} as QueryContext<Data>, events: {} as QueryEvent<Data> },
    actors: { fetchData: fromPromise<Data>(async () => notProvided("fetchData")) },
    actions: {
      assignData: assign((_, { data }: { data: Data }) => ({ data, error: null })),
      assignError: assign({ error: (_, { error }: Failed) => error }),
      clearError: assign({ error: null }),
    },
  }).createMachine({
    id: "query",
    context: { data: null, error: null },
    initial: "loading",
    on: { "data.changed": { target: ".loaded", actions: withEvent("assignData") } },
    states: {
      loading: {
        entry: "clearError",
        invoke: {
          src: "fetchData",
          onDone: { target: "loaded", actions: { type: "assignData", params: ({ event }) => ({ data: event.output }) } },
          onError: { target: "failed", actions: withEvent("assignError") },
        },
      },
      loaded: {},
      failed: { on: { "retry.requested": "loading" } },
    },
  });
}

/** Data of the server that a page shows: loaded once when the page is opened, and updated by changes made there. */
export const queryMachine = createQueryMachine<unknown>();

/** The parts of a snapshot that the selectors read, for any type of answer. */
interface Shown<Data> {
  value: unknown;
  context: QueryContext<Data>;
}

/** Null before the first answer. The same object until the next. */
export const selectData = <Data>({ context }: Shown<Data>): Data | null => context.data;
export const selectIsLoading = ({ value }: Shown<unknown>): boolean => value === "loading";
export const selectHasFailed = ({ value }: Shown<unknown>): boolean => value === "failed";
/** The error of the last request; null unless it failed. */
export const selectError = ({ context }: Shown<unknown>): unknown => context.error;
/** Whether the server has the call. */
export const selectIsOffered = ({ context }: Shown<unknown>): boolean => !isNotOffered(context.error);
