import { assign, emit, fromCallback, fromPromise, sendTo, setup } from "xstate";
import type { HistorySort, Pagination, TranscriptionSummary } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { TranscriptionsCommand, TranscriptionsEmitted, TranscriptionsEvent } from "./events.ts";
import { filedFiltersMachine, selectIsNarrowedByFiling } from "./filed-filters.ts";
import { filtersMachine, selectIsNarrowed as selectFiltersNarrow } from "./filters.ts";
import {
  divided,
  firstPage,
  moreLimit,
  nextPage,
  type PageAnswer,
  type PageRequest,
  pageSize,
  type RecentChanges,
  restPageSize,
  sorted,
  withoutRows,
  withPage,
  withRecentChanges,
  withRows,
  withUpdatedRow,
} from "./rules.ts";
import { selectionMachine } from "./selection.ts";
import { type ServerSearchEvent, serverSearchMachine } from "./server-search.ts";

/**
 * A list older than this (ms) is loaded again when the dashboard is opened: deletions on other devices send no update.
 */
const freshMs = 60_000;

interface TranscriptionsInput {
  /** Epoch ms. */
  now(): number;
}

interface TranscriptionsContext extends TranscriptionsInput {
  /** In the order of `sort`. */
  items: readonly TranscriptionSummary[];
  sort: HistorySort;
  /** The server's cursor after the last page; null without one. */
  next: string | null;
  /** The last row of the last page. The rows that are not loaded come after it. */
  last: TranscriptionSummary | undefined;
  pagination: Pagination;
  /** A search or a filter is active. */
  isNarrowed: boolean;
  /** A filter by folder, tags or favourites is active. */
  isNarrowedByFiling: boolean;
  /** All matching rows will be selected as soon as all are loaded. */
  wantsAll: boolean;
  /** SPEC.md's selectedTranscription: the last one opened. */
  selectedId: string | null;
  /** Epoch ms; null before the first answer. */
  lastFetch: number | null;
  /** Changes since the running request began. */
  meanwhile: RecentChanges;
  /** Why the fetch failed: an error code of the contract. */
  error: string | null;
}

const isFiltered = ({ isNarrowed, isNarrowedByFiling }: TranscriptionsContext): boolean => isNarrowed || isNarrowedByFiling;

/**
 * The history (SPEC.md section 4, "Transcriptions"): fetched and filtered page by page, while the server searches all
 * of it.
 */
export const transcriptionsMachine = setup({
  types: {
    context: {} as TranscriptionsContext,
    events: {} as TranscriptionsEvent,
    emitted: {} as TranscriptionsEmitted,
    input: {} as TranscriptionsInput,
    tags: {} as "loading",
    children: {} as {
      filters: "filters";
      filedFilters: "filedFilters";
      commands: "commands";
      selection: "selection";
      search: "search";
    },
  },
  actors: {
    filters: filtersMachine,
    filedFilters: filedFiltersMachine,
    selection: selectionMachine,
    search: serverSearchMachine,
    fetchPage: fromPromise<PageAnswer, PageRequest>(async () => notProvided("fetchPage")),
    /** Makes the calls about single rows, concurrently; sends `transcription.updated` and `command.failed`. */
    commands: fromCallback<TranscriptionsCommand>(() => notProvided("commands")),
    /** Sends `transcription.updated`, `transcriptions.returned`, `transcriptions.removed` and `list.outdated`. */
    updates: fromCallback<TranscriptionsCommand>(() => notProvided("updates")),
  },
  actions: {
    beginFetch: assign({ meanwhile: new Map() }),
    assignFirstPage: assign(({ context }, { data, pagination, next = null }: PageAnswer) => ({
      ...withRecentChanges({ items: data, pagination, sort: context.sort }, context.meanwhile),
      next,
      last: data.at(-1),
      lastFetch: context.now(),
      error: null,
    })),
    /** A page without new rows means that there are no more, whatever the total was. */
    addPage: assign(({ context }, { data, pagination, next = null }: PageAnswer) => {
      const items = withPage(
        context.items,
        data.filter(({ id }) => context.meanwhile.get(id) !== null),
        context.sort,
      );
      const total = items.length === context.items.length ? items.length : Math.max(pagination.total, items.length);
      const page = Math.ceil(items.length / pageSize);
      return { items, next, last: data.at(-1) ?? context.last, error: null, pagination: { ...pagination, total, page } };
    }),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error), wantsAll: false }),
    assignOrder: assign({ sort: (_, { sort }: { sort: HistorySort }) => sort, next: null }),
    sortRows: assign({ items: ({ context }) => sorted(context.items, context.sort) }),
    dropRows: assign({ items: [] }),
    wantAll: assign({ wantsAll: true }),
    selectAll: sendTo("selection", ({ context }) => ({
      type: "all.requested" as const,
      ids: divided(context.items).listed.map(({ id }) => id),
    })),
    cancelWantAll: assign({ wantsAll: false }),
    setNarrowed: assign({ isNarrowed: (_, isNarrowed: boolean) => isNarrowed }),
    setNarrowedByFiling: assign({ isNarrowedByFiling: (_, isNarrowed: boolean) => isNarrowed }),
    select: assign({ selectedId: (_, { id }: { id: string | null }) => id }),
    assignRow: assign(({ context }, { transcription }: { transcription: TranscriptionSummary }) => ({
      ...withUpdatedRow(context, transcription),
      meanwhile: new Map(context.meanwhile).set(transcription.id, transcription),
    })),
    putBack: assign(({ context }, { transcriptions }: { transcriptions: readonly TranscriptionSummary[] }) => ({
      ...withRows(context, transcriptions),
      meanwhile: new Map([...context.meanwhile, ...transcriptions.map((row) => [row.id, row] as const)]),
    })),
    removeRows: assign(({ context }, { ids }: { ids: readonly string[] }) => ({
      ...withoutRows(context, ids),
      meanwhile: new Map([...context.meanwhile, ...ids.map((id) => [id, null] as const)]),
      selectedId: context.selectedId !== null && ids.includes(context.selectedId) ? null : context.selectedId,
    })),
    command: sendTo("commands", (_, command: TranscriptionsCommand) => command),
    /** The server's search also shows rows. */
    sendToSearch: sendTo("search", (_, event: ServerSearchEvent) => event),
    emitEvent: emit((_, event: TranscriptionsEmitted) => event),
  },
  guards: {
    isSameOrder: ({ context }, { sort }: { sort: HistorySort }) => context.sort === sort,
    hasAll: ({ context }) => context.lastFetch !== null && context.items.length >= context.pagination.total,
    hasMore: ({ context }) => context.items.length < context.pagination.total,
    wantsAll: ({ context }) => context.wantsAll,
    wantsAllMatches: ({ context }) => context.wantsAll && isFiltered(context),
    lacksRest: ({ context }) => context.wantsAll && context.items.length < context.pagination.total,
    isStale: ({ context: { lastFetch, now } }) => lastFetch === null || now() - lastFetch >= freshMs,
  },
}).createMachine({
  id: "transcriptions",
  context: ({ input }) => ({
    now: input.now,
    items: [],
    sort: "newest",
    next: null,
    last: undefined,
    pagination: { page: 1, limit: pageSize, total: 0, totalPages: 0 },
    isNarrowed: false,
    isNarrowedByFiling: false,
    wantsAll: false,
    selectedId: null,
    lastFetch: null,
    meanwhile: new Map(),
    error: null,
  }),
  invoke: [
    { src: "commands", id: "commands" },
    { src: "updates" },
    { src: "selection", id: "selection" },
    { src: "search", id: "search" },
    {
      src: "filters",
      id: "filters",
      onSnapshot: { actions: { type: "setNarrowed", params: ({ event }) => selectFiltersNarrow(event.snapshot) } },
    },
    {
      src: "filedFilters",
      id: "filedFilters",
      onSnapshot: { actions: { type: "setNarrowedByFiling", params: ({ event }) => selectIsNarrowedByFiling(event.snapshot) } },
    },
  ],
  on: {
    "selection.changed": { actions: withEvent("select") },
    "transcription.updated": { actions: [withEvent("assignRow"), withEvent("sendToSearch")] },
    "transcriptions.returned": { actions: withEvent("putBack") },
    "transcriptions.removed": { actions: [withEvent("removeRows"), withEvent("sendToSearch")] },
    "retry.requested": { actions: { type: "command", params: ({ event }) => ({ type: "retry.requested", id: event.id }) } },
    "unsavedRetry.requested": { actions: { type: "command", params: { type: "save.requested" } } },
    "command.failed": { actions: withEvent("emitEvent") },
    "order.changed": [
      { guard: withEvent("isSameOrder") },
      { target: ".loading", actions: [withEvent("assignOrder"), "dropRows"] },
    ],
  },
  initial: "waiting",
  states: {
    waiting: {
      tags: "loading",
      on: {
        "list.requested": "loading",
        "order.changed": { actions: withEvent("assignOrder") },
      },
    },
    loading: {
      tags: "loading",
      entry: "beginFetch",
      on: { "list.outdated": { target: "loading", reenter: true } },
      invoke: {
        src: "fetchPage",
        input: ({ context }) => firstPage(context),
        onDone: { target: "settled", actions: withOutput("assignFirstPage") },
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    settled: {
      always: [
        { guard: "lacksRest", target: "loadingRest" },
        // The page finds out which of them match.
        { guard: "wantsAllMatches", actions: "cancelWantAll" },
        { guard: "wantsAll", actions: ["selectAll", "cancelWantAll"] },
      ],
      on: {
        "list.requested": { guard: "isStale", target: "loading" },
        "list.outdated": "loading",
        "more.requested": { guard: "hasMore", target: "loadingMore" },
        "all.requested": { actions: "wantAll" },
        "order.changed": [
          { guard: withEvent("isSameOrder") },
          { guard: "hasAll", actions: [withEvent("assignOrder"), "sortRows"] },
          { target: "loading", actions: [withEvent("assignOrder"), "dropRows"] },
        ],
      },
    },
    loadingMore: {
      tags: "loading",
      entry: "beginFetch",
      on: { "list.outdated": "loading" },
      invoke: {
        src: "fetchPage",
        input: ({ context }) => nextPage(context, moreLimit(isFiltered(context), context)),
        onDone: { target: "settled", actions: withOutput("addPage") },
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    loadingRest: {
      tags: "loading",
      entry: "beginFetch",
      on: { "list.outdated": "loading" },
      invoke: {
        src: "fetchPage",
        input: ({ context }) => nextPage(context, restPageSize),
        onDone: { target: "settled", actions: withOutput("addPage") },
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    failed: { on: { "list.requested": "loading", "list.outdated": "loading", "more.requested": "loadingMore" } },
  },
});
