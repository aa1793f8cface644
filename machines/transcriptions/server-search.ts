import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { type PageAnswer, type PageRequest, pageAfter, withPage } from "./rules.ts";

export type ServerSearchEvent =
  /** The list: the current term (trimmed, folded), and the order; "" for none, or when the server is not needed. */
  | { type: "term.changed"; term: string; sort: HistorySort }
  /** The end of the results comes into view. */
  | { type: "more.requested" }
  /** All results are requested. */
  | { type: "rest.requested" }
  /** An update that the list received. */
  | { type: "transcription.updated"; transcription: TranscriptionSummary }
  | { type: "transcriptions.removed"; ids: readonly string[] };

interface ServerSearchContext {
  term: string;
  sort: HistorySort;
  /** The server's results for the term so far, in order. */
  rows: readonly TranscriptionSummary[];
  /** Its results for the previous terms, until it answers: the matching ones are shown in the meantime. */
  former: readonly TranscriptionSummary[];
  /** The total number of results. */
  total: number;
  /** The cursor after the last page; null if the server sends none. */
  next: string | null;
  /** All results are requested. */
  wantsRest: boolean;
}

export type SearchRequest = PageRequest & { search: string };

/** Rows of the first page: some screens full. */
const pageSize = 50;
/** The size of the largest page, and of all pages when all results are requested. */
const restPageSize = 500;

/** Filters may leave nothing of a page: the more rows were searched, the larger the next page is. */
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

/**
 * The server searches data that is not in this browser: rows that were not fetched yet, and the rest of long texts,
 * page by page.
 */
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
        // Local rows are still searched, page by page; the next letter asks again.
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
/** Whether the server decides about the results: the page searches all rows itself only after the server has failed. */
export const selectIsResponsible = (snapshot: Snapshot): boolean => snapshot.hasTag("asking") || snapshot.hasTag("found");
/** Whether no part of the answer has arrived yet. */
export const selectIsAsking = (snapshot: Snapshot): boolean => snapshot.hasTag("asking");
/** More can be asked for. */
export const selectMayGoOn = (snapshot: Snapshot): boolean => snapshot.matches("found") && selectHasMore(snapshot);
/** Whether there are more results than loaded rows. */
export const selectHasMore = (snapshot: Snapshot): boolean => snapshot.context.rows.length < snapshot.context.total;
/** The server's results so far, in order; the same array until it changes. */
export const selectRows = (snapshot: Snapshot): readonly TranscriptionSummary[] => snapshot.context.rows;
export const selectWantsRest = (snapshot: Snapshot): boolean => snapshot.context.wantsRest;
/** The results of the previous terms, until the first answer. */
export const selectFormer = (snapshot: Snapshot): readonly TranscriptionSummary[] => snapshot.context.former;
/** The total number of results. */
export const selectFoundTotal = (snapshot: Snapshot): number => snapshot.context.total;
