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
  /** The list, or what is wanted of it, may have changed. */
  | ({ type: "list.changed" } & Sources)
  /** The server's search has answered, or was asked something else. */
  | { type: "server.changed"; server: ServerState }
  /** The end of the rows comes into sight. */
  | { type: "more.requested" }
  /** All that match are wanted. */
  | { type: "all.requested" };

/** Emitted to the list and its children. */
export type FoundEmitted =
  | { type: "search.term"; term: string; sort: Wanted["sort"] }
  | { type: "search.more" }
  | { type: "search.rest" }
  | { type: "list.more" }
  | { type: "list.all" }
  /** All that match are here. */
  | { type: "all.found"; ids: readonly string[] };

interface FoundInput extends Sources {
  server: ServerState;
  /** Epoch ms. */
  now(): number;
}

interface FoundContext extends FoundInput {
  /** What was found here. */
  here: Rows;
  /** What is shown: with what the server has found. */
  rows: Rows;
  /** So many rows are looked for. */
  reach: number;
  wantsAll: boolean;
}

const hasMore = ({ wanted, list, server, now }: FoundContext): boolean => mayBeMore(wanted, list, server, now());

/** Whom to ask for more: the server while it is responsible, else the list; nobody while there is no use in it. */
function nextQuestion({ wantsAll, server, list }: FoundContext): FoundEmitted | null {
  if (server.isResponsible && wantsAll) return server.wantsRest ? null : { type: "search.rest" };
  if (server.isResponsible) return server.mayGoOn ? { type: "search.more" } : null;
  return list.isSettled ? { type: wantsAll ? "list.all" : "list.more" } : null;
}

/**
 * The filtered history: what is here is filtered here; where that leaves less than can be seen, the server is asked for what matches a
 * search, and for the next page of what is only filtered.
 */
export const foundMachine = setup({
  types: {
    context: {} as FoundContext,
    events: {} as FoundEvent,
    emitted: {} as FoundEmitted,
    input: {} as FoundInput,
  },
  actors: {
    /** The rows that match: of 100,000 it takes many slices. `now` in epoch ms. */
    filter: fromPromise<Rows, { wanted: Wanted; now: number }>(async () => notProvided("filter")),
  },
  actions: {
    assignList: assign(({ context }, { wanted, list }: Sources) => ({
      wanted,
      list,
      wantsAll: context.wantsAll && !list.hasFailed,
    })),
    /** Of something else, no more than a screenful is wanted at first. */
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
    /** Whether there is more is asked of nobody before what is here is known. */
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
    /** Less is here than can be seen, or than is wanted. */
    searching: { entry: "askForMore" },
    enough: {},
  },
});

export type FoundActor = ActorRefFrom<typeof foundMachine>;
