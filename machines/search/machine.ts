import { assign, emit, fromPromise, setup } from "xstate";
import type { InsightModel, SearchAnswer, SearchHit } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { SearchEmitted, SearchEvent } from "./events.ts";
import { emptyFields, isBlank, isSame, pageSize, type SearchFields } from "./rules.ts";

/** A request for one page of hits, from 1. */
export interface SearchRequest {
  wanted: SearchFields;
  page: number;
}

interface SearchContext {
  wanted: SearchFields;
  /** The last hits, best first. They stay until newer ones arrive. */
  hits: readonly SearchHit[];
  /** The number of loaded pages. */
  pages: number;
  total: number;
  /** Whether there are more than `total`. */
  hasMore: boolean;
  matched: SearchAnswer["matched"];
  /** The number of transcriptions that can't be searched yet. */
  behind: number;
  /** The model that answers questions, as the server last said; null for none. */
  model: InsightModel | null;
  /** Why it failed. */
  failure: string | null;
}

const none = { hits: [], pages: 0, total: 0, hasMore: false, matched: "all", behind: 0, failure: null } as const;

/** Searches the passages of all transcripts: when the person pauses while typing, and page by page. */
export const searchMachine = setup({
  types: {
    context: {} as SearchContext,
    events: {} as SearchEvent,
    emitted: {} as SearchEmitted,
    tags: {} as "searching" | "found" | "nothing" | "loadingMore" | "failed",
  },
  actors: {
    search: fromPromise<SearchAnswer, SearchRequest>(async () => notProvided("search")),
  },
  actions: {
    assignRequest: assign(({ context }, { change }: { change: Partial<SearchFields> }) => ({
      wanted: { ...context.wanted, ...change },
    })),
    clear: assign(none),
    assignFirstPage: assign((_, { hits, total, hasMore, matched, behind, model }: SearchAnswer) => ({
      hits,
      total,
      hasMore,
      matched,
      behind,
      model,
      pages: 1,
      failure: null,
    })),
    /** Passages may have moved since the previous page: none is shown twice. */
    addPage: assign(({ context }, { hits, total }: SearchAnswer) => {
      const known = new Set(context.hits.map(keyOf));
      return { hits: [...context.hits, ...hits.filter((hit) => !known.has(keyOf(hit)))], total, pages: context.pages + 1 };
    }),
    noteFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    emitRequest: emit(({ context }): SearchEmitted => ({ type: "wanted.settled", wanted: context.wanted })),
  },
  guards: {
    isBlank: (_, { query }: { query: string }) => isBlank({ query }),
    hasQuery: ({ context }) => !isBlank(context.wanted),
    isNew: ({ context }, { wanted }: { wanted: SearchFields }) => !isSame(context.wanted, wanted),
    isNewAndBlank: ({ context }, { wanted }: { wanted: SearchFields }) => !isSame(context.wanted, wanted) && isBlank(wanted),
    hasNothing: (_, output: SearchAnswer) => output.hits.length === 0,
    hasMorePages: ({ context }) => context.pages * pageSize < context.total,
  },
  /** Debounce (ms): slower than typing within a word. */
  delays: { typingPause: 400 },
}).createMachine({
  id: "search",
  context: { wanted: emptyFields, model: null, ...none },
  initial: "idle",
  on: {
    "query.changed": [
      {
        guard: withEvent("isBlank"),
        target: ".idle",
        actions: [{ type: "assignRequest", params: ({ event: { query } }) => ({ change: { query } }) }, "clear", "emitRequest"],
      },
      { target: ".typing", actions: { type: "assignRequest", params: ({ event: { query } }) => ({ change: { query } }) } },
    ],
    "filters.changed": [
      {
        guard: "hasQuery",
        target: ".searching",
        actions: { type: "assignRequest", params: ({ event: { filters } }) => ({ change: filters }) },
      },
      { actions: { type: "assignRequest", params: ({ event: { filters } }) => ({ change: filters }) } },
    ],
    "search.requested": { guard: "hasQuery", target: ".searching" },
    "address.opened": [
      // The same search is not repeated: a person who comes back finds the earlier hits.
      {
        guard: withEvent("isNewAndBlank"),
        target: ".idle",
        actions: [{ type: "assignRequest", params: ({ event: { wanted } }) => ({ change: wanted }) }, "clear"],
      },
      {
        guard: withEvent("isNew"),
        target: ".searching",
        actions: { type: "assignRequest", params: ({ event: { wanted } }) => ({ change: wanted }) },
      },
    ],
  },
  states: {
    idle: {},
    typing: { tags: "searching", after: { typingPause: "searching" } },
    searching: {
      tags: "searching",
      entry: "emitRequest",
      invoke: {
        src: "search",
        input: ({ context: { wanted } }) => ({ wanted, page: 1 }),
        onDone: [
          { guard: withOutput("hasNothing"), target: "nothing", actions: withOutput("assignFirstPage") },
          { target: "found", actions: withOutput("assignFirstPage") },
        ],
        onError: { target: "failed", actions: ["clear", withEvent("noteFailure")] },
      },
    },
    found: {
      tags: "found",
      initial: "resting",
      states: {
        resting: { on: { "more.requested": { guard: "hasMorePages", target: "loadingMore" } } },
        loadingMore: {
          tags: "loadingMore",
          invoke: {
            src: "search",
            input: ({ context: { wanted, pages } }) => ({ wanted, page: pages + 1 }),
            onDone: { target: "resting", actions: withOutput("addPage") },
            onError: { target: "stuck", actions: withEvent("noteFailure") },
          },
        },
        /** The hits stay, and the next page can be requested again. */
        stuck: { tags: "failed", on: { "more.requested": "loadingMore" } },
      },
    },
    nothing: { tags: "nothing" },
    failed: { tags: "failed" },
  },
});

/** Identifies a passage by its transcript and its beginning. */
export const keyOf = ({ id, start, isTitle, text }: SearchHit): string => JSON.stringify([id, start, isTitle, text]);
