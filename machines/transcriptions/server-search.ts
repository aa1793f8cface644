import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type ServerSearchEvent =
  /** The list: something else is searched now (trimmed, lower-cased), or nothing (""), or nothing that the server must be asked about. */
  { type: "term.changed"; term: string };

interface ServerSearchContext {
  term: string;
  /** The ids that the server has found for `term`; null while nobody knows. */
  ids: ReadonlySet<string> | null;
}

/** Long texts stand in the history by their beginning: what is behind it, the server finds. */
export const serverSearchMachine = setup({
  types: { context: {} as ServerSearchContext, events: {} as ServerSearchEvent },
  actors: {
    /** The ids of all transcriptions that hold the term. */
    search: fromPromise<ReadonlySet<string>, { term: string }>(async () => notProvided("search")),
  },
  actions: {
    keepTerm: assign((_, { term }: { term: string }) => ({ term, ids: null })),
    keepIds: assign({ ids: (_, { ids }: { ids: ReadonlySet<string> }) => ids }),
  },
  guards: {
    isNothing: (_, { term }: { term: string }) => term === "",
  },
  /** Milliseconds: nobody types that slowly within a word. */
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
        // The beginnings are searched all the same; another letter asks again.
        onError: "failed",
      },
    },
    found: {},
    failed: {},
  },
});

/** What the server has found for a term; null while it is not known. */
export const selectFoundIds = (snapshot: SnapshotFrom<typeof serverSearchMachine>, term: string): ReadonlySet<string> | null =>
  snapshot.context.term === term ? snapshot.context.ids : null;
