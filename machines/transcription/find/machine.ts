import { assign, emit, enqueueActions, setup } from "xstate";
import type { Segment } from "#contract/index.ts";
import { withEvent } from "#machines/with-event.ts";
import { findHits, type Hit, hitFrom, noHits, replaced, type Search } from "./rules.ts";

export type FindEvent =
  /** The person opened the search, with an initial term and the segment in view; or closed it. */
  | { type: "find.opened"; term?: string; at: number }
  | { type: "find.closed" }
  /** The person edited the term or an option. */
  | { type: "search.changed"; search: Partial<Search> }
  | { type: "replacement.typed"; replacement: string }
  | { type: "next.requested" }
  | { type: "previous.requested" }
  | { type: "replace.requested" }
  | { type: "replaceAll.requested" }
  /** The page: another transcript, or changed texts. */
  | { type: "segments.changed"; segments: readonly Segment[] };

/** Emitted to the rest of the page. */
export type FindEmitted =
  /** Scroll to a hit. */
  | { type: "hit.shown"; hit: Hit }
  /** Texts by segment. The machine then waits for `segments.changed` with the new texts. */
  | { type: "replacement.requested"; edits: Record<number, string> };

interface FindContext {
  segments: readonly Segment[];
  search: Search;
  replacement: string;
  hits: readonly Hit[];
  /** The current one; -1 without hits. */
  current: number;
  /** The index of the segment where the search for a new term starts. */
  at: number;
  /** The number of replacements of the last "replace all". */
  replaced: number | null;
}

const placeOf = ({ hits, current, at }: FindContext): Omit<Hit, "to"> => hits[current] ?? { index: at, side: "text", from: 0 };
const textHits = ({ hits }: FindContext) => hits.filter(({ side }) => side === "text");

/** The current hits, starting at the segment in view. */
function found(context: FindContext): FindContext {
  const hits = findHits(context.segments, context.search);
  return { ...context, hits, current: hitFrom(hits, placeOf(context)) };
}

/** Finds a term in a transcript and its translation, steps through the hits, and replaces it in the transcript. */
export const findMachine = setup({
  types: { context: {} as FindContext, events: {} as FindEvent, emitted: {} as FindEmitted },
  actions: {
    begin: assign(({ context }, { term, at }: { term?: string; at: number }) =>
      found({ ...context, at, hits: noHits, search: { ...context.search, term: term ?? context.search.term } }),
    ),
    assignSegments: assign({ segments: (_, { segments }: { segments: readonly Segment[] }) => segments }),
    findAgain: assign(({ context }, { segments }: { segments: readonly Segment[] }) => found({ ...context, segments })),
    change: assign(({ context }, { search }: { search: Partial<Search> }) =>
      found({ ...context, search: { ...context.search, ...search }, replaced: null }),
    ),
    assignReplacement: assign({ replacement: (_, { replacement }: { replacement: string }) => replacement }),
    step: assign({
      current: ({ context: { hits, current } }, { by }: { by: 1 | -1 }) => (current + by + hits.length) % hits.length,
    }),
    /** The search continues after the replacement, which may contain the term itself. */
    goBehind: assign(({ context }) => {
      const { index, side, from } = placeOf(context);
      return {
        at: index,
        hits: [{ index, side, from: from + context.replacement.length, to: from }],
        current: 0,
        replaced: null,
      };
    }),
    goToBeginning: assign(({ context }) => ({ hits: noHits, current: -1, at: 0, replaced: textHits(context).length })),
    clearHits: assign({ hits: noHits, current: -1, replaced: null }),
    show: enqueueActions(({ context, enqueue }) => {
      const hit = context.hits[context.current];
      if (hit !== undefined) enqueue.emit({ type: "hit.shown", hit });
    }),
    emitReplaced: emit(({ context }, { hits }: { hits: readonly Hit[] }): FindEmitted => {
      return { type: "replacement.requested", edits: replaced(context.segments, hits, context.replacement) };
    }),
  },
  guards: {
    hasHits: ({ context }) => context.hits.length > 0,
    canReplace: ({ context }) => context.hits[context.current]?.side === "text",
    canReplaceAny: ({ context }) => textHits(context).length > 0,
  },
}).createMachine({
  id: "find",
  context: {
    segments: [],
    search: { term: "", matchCase: false, wholeWords: false },
    replacement: "",
    hits: noHits,
    current: -1,
    at: 0,
    replaced: null,
  },
  initial: "closed",
  states: {
    closed: {
      on: {
        "find.opened": { target: "open", actions: [withEvent("begin"), "show"] },
        "segments.changed": { actions: withEvent("assignSegments") },
      },
    },
    open: {
      initial: "searching",
      on: {
        "find.closed": { target: "closed", actions: "clearHits" },
        "replacement.typed": { actions: withEvent("assignReplacement") },
      },
      states: {
        searching: {
          on: {
            "find.opened": { actions: [withEvent("begin"), "show"] },
            "search.changed": { actions: [withEvent("change"), "show"] },
            "segments.changed": { actions: withEvent("findAgain") },
            "next.requested": { guard: "hasHits", actions: [{ type: "step", params: { by: 1 } }, "show"] },
            "previous.requested": { guard: "hasHits", actions: [{ type: "step", params: { by: -1 } }, "show"] },
            "replace.requested": {
              guard: "canReplace",
              target: "replacing",
              actions: [
                {
                  type: "emitReplaced",
                  params: ({ context: { hits, current } }) => ({ hits: hits.slice(current, current + 1) }),
                },
                "goBehind",
              ],
            },
            "replaceAll.requested": {
              guard: "canReplaceAny",
              target: "replacing",
              actions: [{ type: "emitReplaced", params: ({ context: { hits } }) => ({ hits }) }, "goToBeginning"],
            },
          },
        },
        /** Until the transcript has the new text: the old hits have wrong offsets now. */
        replacing: {
          on: {
            "segments.changed": { target: "searching", actions: [withEvent("findAgain"), "show"] },
          },
        },
      },
    },
  },
});

type Snapshot = ReturnType<typeof findMachine.getInitialSnapshot>;

export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
export const selectSearch = (snapshot: Snapshot): Search => snapshot.context.search;
export const selectReplacement = (snapshot: Snapshot): string => snapshot.context.replacement;
/** Empty while it is closed. */
export const selectHits = (snapshot: Snapshot): readonly Hit[] => snapshot.context.hits;
/** The current hit; -1 without hits. */
export const selectCurrent = (snapshot: Snapshot): number => snapshot.context.current;
export const selectCanReplace = (snapshot: Snapshot): boolean => snapshot.can({ type: "replace.requested" });
export const selectCanReplaceAny = (snapshot: Snapshot): boolean => snapshot.can({ type: "replaceAll.requested" });
/** The number of hits just replaced at once; null for none. */
export const selectReplaced = (snapshot: Snapshot): number | null => snapshot.context.replaced;
