import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { type PageAnswer, type PageRequest, pageAfter, withPage } from "./rules.ts";

export type ServerSearchEvent =
  /** The list: the current term (trimmed, folded), and the order; "" for none, or when the server is not needed. */
  | { type: "term.changed"; term: string; sort: HistorySort }
  /** The end of what was found comes into sight. */
  | { type: "more.requested" }
  /** All of it is wanted. */
  | { type: "rest.requested" }
  /** From the list, which hears of it. */
  | { type: "transcription.updated"; transcription: TranscriptionSummary }
  | { type: "transcriptions.removed"; ids: readonly string[] };

interface ServerSearchContext {
  term: string;
  sort: HistorySort;
  /** What the server has found for the term so far, in this order. */
  rows: readonly TranscriptionSummary[];
  /** What it had found for the terms before, until it answers: of that, what matches is shown meanwhile. */
  former: readonly TranscriptionSummary[];
  /** How many it has found in all. */
  total: number;
  /** Where the server goes on after the last page; null when it does not say. */
  next: string | null;
  /** All are wanted. */
  wantsRest: boolean;
}

export type SearchRequest = PageRequest & { search: string };

/** Rows of the first page: some screens full. */
const pageSize = 50;
/** Of the largest, and when all are wanted. */
const restPageSize = 500;

/** Filters may leave nothing of a page: the more has been looked through, the larger is the next one. */
function nextPage({ term, sort, rows, next, wantsRest }: ServerSearchContext): SearchRequest {
  const limit = wantsRest ? restPageSize : Math.min(restPageSize, Math.max(pageSize, rows.length));
  return { search: term, ...pageAfter(rows.length, limit, next), ...(sort !== "newest" && { sort }) };
}

type Rows = readonly TranscriptionSummary[];

/** The same array where it is not among them. */
function withRow(rows: Rows, row: TranscriptionSummary): Rows {
  const at = rows.findIndex(({ id }) => id === row.id);
  return at < 0 ? rows : rows.with(at, row);
}

/** The same array where none of them is among them. */
function without(rows: Rows, ids: readonly string[]): Rows {
  const removed = new Set(ids);
  const left = rows.filter(({ id }) => !removed.has(id));
  return left.length === rows.length ? rows : left;
}

/** The server searches what is not in this browser: the rows that were not fetched yet, and the rest of long texts; page by page. */
export const serverSearchMachine = setup({
  types: { context: {} as ServerSearchContext, events: {} as ServerSearchEvent, tags: {} as "asking" | "found" },
  actors: {
    search: fromPromise<PageAnswer, SearchRequest>(async () => notProvided("search")),
  },
  actions: {
    assignTerm: assign(({ context }, { term, sort }: { term: string; sort: HistorySort }) => {
      const known = context.rows.length > 0 ? context.rows : context.former;
      const former = term === "" || sort !== context.sort ? [] : known;
      return { term, sort, former, rows: [], total: 0, next: null, wantsRest: false };
    }),
    /** A page without new rows means that there are no more, whatever the total was. */
    addPage: assign(({ context }, { data, pagination, next = null }: PageAnswer) => {
      const rows = withPage(context.rows, data, context.sort);
      return {
        rows,
        next,
        former: [],
        total: rows.length === context.rows.length ? rows.length : Math.max(pagination.total, rows.length),
      };
    }),
    assignRow: assign(({ context }, { transcription }: { transcription: TranscriptionSummary }) => {
      return { rows: withRow(context.rows, transcription), former: withRow(context.former, transcription) };
    }),
    removeRows: assign(({ context }, { ids }: { ids: readonly string[] }) => {
      const rows = without(context.rows, ids);
      return { rows, former: without(context.former, ids), total: context.total - (context.rows.length - rows.length) };
    }),
    wantRest: assign({ wantsRest: true }),
  },
  guards: {
    isNothing: (_, { term }: { term: string }) => term === "",
    hasMore: ({ context }) => context.rows.length < context.total,
    lacksRest: ({ context }) => context.wantsRest && context.rows.length < context.total,
  },
  /** Debounce in milliseconds: slower than typing within a word. */
  delays: { typingPause: 300 },
}).createMachine({
  id: "serverSearch",
  context: { term: "", sort: "newest", rows: [], former: [], total: 0, next: null, wantsRest: false },
  initial: "idle",
  on: {
    "term.changed": [
      { guard: withEvent("isNothing"), target: ".idle", actions: withEvent("assignTerm") },
      { target: ".pausing", actions: withEvent("assignTerm") },
    ],
    "rest.requested": { actions: "wantRest" },
    "transcription.updated": { actions: withEvent("assignRow") },
    "transcriptions.removed": { actions: withEvent("removeRows") },
  },
  states: {
    idle: {},
    pausing: { tags: "asking", after: { typingPause: "searching" } },
    searching: {
      tags: "asking",
      invoke: {
        src: "search",
        input: ({ context }) => nextPage(context),
        onDone: { target: "found", actions: withOutput("addPage") },
        // What is here is searched all the same, page by page; the next letter asks again.
        onError: "failed",
      },
    },
    found: {
      tags: "found",
      always: { guard: "lacksRest", target: "searchingOn" },
      on: { "more.requested": { guard: "hasMore", target: "searchingOn" } },
    },
    searchingOn: {
      tags: "found",
      invoke: {
        src: "search",
        input: ({ context }) => nextPage(context),
        onDone: { target: "found", actions: withOutput("addPage") },
        onError: "failed",
      },
    },
    failed: {},
  },
});

type Snapshot = SnapshotFrom<typeof serverSearchMachine>;

/** "" for none. */
export const selectTerm = (snapshot: Snapshot): string => snapshot.context.term;
export const selectTermSort = (snapshot: Snapshot): HistorySort => snapshot.context.sort;
/** It is, or will be, the server that says what is found: not before it has failed does the page look through all rows itself. */
export const selectIsResponsible = (snapshot: Snapshot): boolean => snapshot.hasTag("asking") || snapshot.hasTag("found");
/** Nothing of the answer is there yet. */
export const selectIsAsking = (snapshot: Snapshot): boolean => snapshot.hasTag("asking");
/** More can be asked for. */
export const selectMayGoOn = (snapshot: Snapshot): boolean => snapshot.matches("found") && selectHasMore(snapshot);
/** There are rows that were found and are not here. */
export const selectHasMore = (snapshot: Snapshot): boolean => snapshot.context.rows.length < snapshot.context.total;
/** What the server has found so far, in order; the same array until it changes. */
export const selectRows = (snapshot: Snapshot): readonly TranscriptionSummary[] => snapshot.context.rows;
export const selectWantsRest = (snapshot: Snapshot): boolean => snapshot.context.wantsRest;
/** Of the terms before, until the first answer. */
export const selectFormer = (snapshot: Snapshot): readonly TranscriptionSummary[] => snapshot.context.former;
/** How many it has found in all. */
export const selectFoundTotal = (snapshot: Snapshot): number => snapshot.context.total;
