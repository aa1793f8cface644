import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type ServerSearchEvent =
  /** The list: the current term (trimmed, lower-cased); "" for none, or when the server is not needed. */
  { type: "term.changed"; term: string };

interface ServerSearchContext {
  term: string;
  /** The ids that the server has found for `term`; null until known. */
  ids: ReadonlySet<string> | null;
}

/** The history has only the beginning of long texts: the server searches the rest. */
export const serverSearchMachine = setup({
  types: { context: {} as ServerSearchContext, events: {} as ServerSearchEvent },
  actors: {
    /** The ids of all transcriptions that match the term. */
    search: fromPromise<ReadonlySet<string>, { term: string }>(async () => notProvided("search")),
  },
  actions: {
    keepTerm: assign((_, { term }: { term: string }) => ({ term, ids: null })),
    keepIds: assign({ ids: (_, { ids }: { ids: ReadonlySet<string> }) => ids }),
  },
  guards: {
    isNothing: (_, { term }: { term: string }) => term === "",
  },
  /** Debounce in milliseconds: slower than typing within a word. */
  delays: { typingPause: 300 },
}).createMachine({
  id: "serverSearch",
  context: { term: "", ids: null },
  initial: "idle",
  on: {
    "term.changed": [
      {
        guard: { type: "isNothing", params: ({ event }) => event },
        target: ".idle",
        actions: { type: "keepTerm", params: ({ event }) => event },
      },
      { target: ".pausing", actions: { type: "keepTerm", params: ({ event }) => event } },
    ],
  },
  states: {
    idle: {},
    pausing: { after: { typingPause: "searching" } },
    searching: {
      invoke: {
        src: "search",
        input: ({ context }) => ({ term: context.term }),
        onDone: { target: "found", actions: { type: "keepIds", params: ({ event }) => ({ ids: event.output }) } },
        // The beginnings are searched all the same; the next letter asks again.
        onError: "failed",
      },
    },
    found: {},
    failed: {},
  },
});

/** "" for none. */
export const selectTerm = (snapshot: SnapshotFrom<typeof serverSearchMachine>): string => snapshot.context.term;
/** The server has answered. */
export const selectIsFound = (snapshot: SnapshotFrom<typeof serverSearchMachine>): boolean => snapshot.matches("found");
/** The server's results for a term; null until known. */
export const selectFoundIds = (snapshot: SnapshotFrom<typeof serverSearchMachine>, term: string): ReadonlySet<string> | null =>
  snapshot.context.term === term ? snapshot.context.ids : null;
