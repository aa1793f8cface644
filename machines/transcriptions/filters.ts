import { assign, type SnapshotFrom, setup } from "xstate";
import { withEvent } from "#machines/with-event.ts";
import type { Filters } from "./rules.ts";

/** All are sent by the page: what the person has typed or chosen. */
export type FiltersEvent =
  /** The content of the search field, as typed. */
  | { type: "search.changed"; term: string }
  /** A code as requested, or "all". */
  | { type: "language.changed"; language: string }
  | { type: "status.changed"; status: Filters["status"] }
  | { type: "dateRange.changed"; dateRange: Filters["dateRange"] }
  /** Shows everything again. */
  | { type: "filters.cleared" };

interface FiltersContext {
  /** As typed; SPEC.md section 5: spaces around it don't count, and an empty one is ignored. */
  searchTerm: string;
  language: string;
}

interface Status {
  status: Filters["status"];
}
interface DateRange {
  dateRange: Filters["dateRange"];
}

/**
 * The search and the filters of the history (SPEC.md section 4, "Transcriptions"): independent of each other, cleared
 * together.
 */
export const filtersMachine = setup({
  types: {
    context: {} as FiltersContext,
    events: {} as FiltersEvent,
    /** A search or a filter is active. */
    tags: {} as "narrowed",
  },
  actions: {
    setTerm: assign({ searchTerm: (_, { term }: { term: string }) => term }),
    clearTerm: assign({ searchTerm: "" }),
    setLanguage: assign({ language: (_, { language }: { language: string }) => language }),
    clearLanguage: assign({ language: "all" }),
  },
  guards: {
    isBlank: (_, { term }: { term: string }) => term.trim() === "",
    isAnyLanguage: (_, { language }: { language: string }) => language === "all",
    isCompleted: (_, { status }: Status) => status === "completed",
    isProcessing: (_, { status }: Status) => status === "processing",
    isFailed: (_, { status }: Status) => status === "failed",
    isToday: (_, { dateRange }: DateRange) => dateRange === "today",
    isWeek: (_, { dateRange }: DateRange) => dateRange === "week",
    isMonth: (_, { dateRange }: DateRange) => dateRange === "month",
  },
}).createMachine({
  id: "filters",
  context: { searchTerm: "", language: "all" },
  type: "parallel",
  states: {
    search: {
      initial: "empty",
      on: {
        "search.changed": [
          { guard: withEvent("isBlank"), target: ".empty", actions: withEvent("setTerm") },
          { target: ".entered", actions: withEvent("setTerm") },
        ],
        "filters.cleared": { target: ".empty", actions: "clearTerm" },
      },
      states: { empty: {}, entered: { tags: "narrowed" } },
    },
    language: {
      initial: "all",
      on: {
        "language.changed": [
          { guard: withEvent("isAnyLanguage"), target: ".all", actions: "clearLanguage" },
          { target: ".chosen", actions: withEvent("setLanguage") },
        ],
        "filters.cleared": { target: ".all", actions: "clearLanguage" },
      },
      states: { all: {}, chosen: { tags: "narrowed" } },
    },
    status: {
      initial: "all",
      on: {
        "status.changed": [
          { guard: withEvent("isCompleted"), target: ".completed" },
          { guard: withEvent("isProcessing"), target: ".processing" },
          { guard: withEvent("isFailed"), target: ".failed" },
          { target: ".all" },
        ],
        "filters.cleared": ".all",
      },
      states: {
        all: {},
        completed: { tags: "narrowed" },
        /** Includes pending ones. */
        processing: { tags: "narrowed" },
        failed: { tags: "narrowed" },
      },
    },
    dateRange: {
      initial: "all",
      on: {
        "dateRange.changed": [
          { guard: withEvent("isToday"), target: ".today" },
          { guard: withEvent("isWeek"), target: ".week" },
          { guard: withEvent("isMonth"), target: ".month" },
          { target: ".all" },
        ],
        "filters.cleared": ".all",
      },
      states: {
        all: {},
        today: { tags: "narrowed" },
        /** The last 7 days. */
        week: { tags: "narrowed" },
        /** One calendar month back. */
        month: { tags: "narrowed" },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof filtersMachine>;

/** As typed. */
export const selectSearchTerm = (snapshot: Snapshot): string => snapshot.context.searchTerm;
export const selectLanguage = (snapshot: Snapshot): string => snapshot.context.language;
export const selectStatus = (snapshot: Snapshot): Filters["status"] => snapshot.value.status;
export const selectDateRange = (snapshot: Snapshot): Filters["dateRange"] => snapshot.value.dateRange;
/** Whether a search or a filter is active. */
export const selectIsNarrowed = (snapshot: Snapshot): boolean => snapshot.hasTag("narrowed");
/** A new object each time: for `matcher`, not for `useSelector`. */
export const filtersOf = (snapshot: Snapshot): Filters => ({
  language: selectLanguage(snapshot),
  status: selectStatus(snapshot),
  dateRange: selectDateRange(snapshot),
});
