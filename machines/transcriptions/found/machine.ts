import { type ActorRefFrom, assign, emit, enqueueActions, fromPromise, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import {
  isSameNarrowing,
  isSameRequest,
  type ListState,
  mayBeMore,
  type Rows,
  type ServerState,
  screenful,
  serversTerm,
  type Wanted,
  withServers,
} from "./rules.ts";

interface Sources {
  wanted: Wanted;
  list: ListState;
}

export type FoundEvent =
  /** The list or the filters may have changed. */
  | ({ type: "list.changed" } & Sources)
  /** The server's search has answered, or got another question. */
  | { type: "server.changed"; server: ServerState }
  /** The end of the rows scrolls into view. */
  | { type: "more.requested" }
  /** The person selects all matching rows. */
  | { type: "all.requested" };

/** Emitted to the list and its children. */
export type FoundEmitted =
  | { type: "search.term"; term: string; sort: Wanted["sort"] }
  | { type: "search.more" }
  | { type: "search.rest" }
  | { type: "list.more" }
  | { type: "list.all" }
  /** All matching rows are loaded. */
  | { type: "all.found"; ids: readonly string[] };

interface FoundInput extends Sources {
  server: ServerState;
  /** Epoch ms. */
  now(): number;
}

interface FoundContext extends FoundInput {
  /** The matches among the loaded rows. */
  here: Rows;
  /** The rows that are shown, including the server's matches. */
  rows: Rows;
  /** The number of rows to look for. */
  reach: number;
  wantsAll: boolean;
}

const hasMore = ({ wanted, list, server, now }: FoundContext): boolean => mayBeMore(wanted, list, server, now());

/** The next question: to the server's search while it is responsible, else to the list; null if asking can't help. */
function nextQuestion({ wantsAll, server, list }: FoundContext): FoundEmitted | null {
  if (server.isResponsible && wantsAll) return server.wantsRest ? null : { type: "search.rest" };
  if (server.isResponsible) return server.mayGoOn ? { type: "search.more" } : null;
  return list.isSettled ? { type: wantsAll ? "list.all" : "list.more" } : null;
}

/**
 * The filtered history. Loaded rows are filtered here. If too few match to fill the screen, the server's search is
 * asked, or the next page is loaded if there is only a filter.
 */
export const foundMachine = setup({
  types: {
    context: {} as FoundContext,
    events: {} as FoundEvent,
    emitted: {} as FoundEmitted,
    input: {} as FoundInput,
  },
  actors: {
    /** The matching rows; 100,000 rows are filtered in many slices. `now` in epoch ms. */
    filter: fromPromise<Rows, { wanted: Wanted; now: number }>(async () => notProvided("filter")),
  },
  actions: {
    assignList: assign(({ context }, { wanted, list }: Sources) => ({
      wanted,
      list,
      wantsAll: context.wantsAll && !list.hasFailed,
    })),
    /** A new search or filter starts with one screenful. */
    resetReach: assign(({ context }, { wanted }: { wanted: Wanted }) =>
      isSameNarrowing(context.wanted, wanted) ? {} : { reach: screenful, wantsAll: false },
    ),
    assignServer: assign({ server: (_, { server }: { server: ServerState }) => server }),
    showItems: assign(({ context: { wanted } }) => ({ here: wanted.items, rows: wanted.items })),
    assignHere: assign({ here: (_, here: Rows) => here }),
    addServers: assign({
      rows: ({ context: { wanted, here, server, now } }) => withServers(wanted, here, server, now()),
    }),
    extendReach: assign({ reach: ({ context }) => context.rows.length + screenful }),
    wantAll: assign({ wantsAll: true }),
    cancelWantAll: assign({ wantsAll: false }),
    emitAll: emit(({ context }): FoundEmitted => ({ type: "all.found", ids: context.rows.map(({ id }) => id) })),
    askServer: enqueueActions(({ context: { wanted, list, server }, enqueue }) => {
      const [term, { sort }] = [serversTerm(wanted, list), wanted];
      if (server.term !== term || (term !== "" && server.sort !== sort)) enqueue.emit({ type: "search.term", term, sort });
    }),
    askForMore: enqueueActions(({ context, enqueue }) => {
      const question = nextQuestion(context);
      if (question !== null) enqueue.emit(question);
    }),
  },
  guards: {
    isSame: ({ context }, { wanted }: { wanted: Wanted }) => isSameRequest(context.wanted, wanted),
    isNarrowed: ({ context }) => context.wanted.isNarrowed,
    hasReached: ({ context }) => context.rows.length >= context.reach,
    hasAllResults: ({ context }) => context.wantsAll && !hasMore(context),
    isTooLittle: ({ context }) => hasMore(context) && (context.wantsAll || context.rows.length < context.reach),
  },
}).createMachine({
  id: "found",
  context: ({ input }) => ({ ...input, here: [], rows: [], reach: screenful, wantsAll: false }),
  on: {
    "list.changed": [
      { guard: withEvent("isSame"), target: ".deciding", actions: withEvent("assignList") },
      { target: ".beginning", actions: [withEvent("resetReach"), withEvent("assignList")] },
    ],
    "server.changed": [
      { guard: "isNarrowed", target: ".deciding", actions: [withEvent("assignServer"), "addServers"] },
      { actions: withEvent("assignServer") },
    ],
    "more.requested": { guard: "hasReached", target: ".deciding", actions: "extendReach" },
    "all.requested": { target: ".deciding", actions: "wantAll" },
  },
  initial: "beginning",
  states: {
    beginning: {
      entry: "askServer",
      always: [
        { guard: "isNarrowed", target: "filtering" },
        { target: "deciding", actions: "showItems" },
      ],
    },
    /** Nothing is requested before the loaded rows are filtered. */
    filtering: {
      on: {
        "list.changed": { guard: withEvent("isSame"), actions: withEvent("assignList") },
        "server.changed": { actions: withEvent("assignServer") },
        "more.requested": { guard: "hasReached", actions: "extendReach" },
        "all.requested": { actions: "wantAll" },
      },
      invoke: {
        src: "filter",
        input: ({ context }) => ({ wanted: context.wanted, now: context.now() }),
        onDone: { target: "deciding", actions: [withOutput("assignHere"), "addServers"] },
        onError: "deciding",
      },
    },
    deciding: {
      always: [
        { guard: "hasAllResults", target: "enough", actions: ["emitAll", "cancelWantAll"] },
        { guard: "isTooLittle", target: "searching" },
        { target: "enough" },
      ],
    },
    /** Fewer rows match than fit on the screen, or than are wanted. */
    searching: { entry: "askForMore" },
    enough: {},
  },
});

export type FoundActor = ActorRefFrom<typeof foundMachine>;
