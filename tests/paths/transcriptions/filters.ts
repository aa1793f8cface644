import { createActor } from "xstate";
import {
  type FiltersEvent,
  filtersMachine,
  filtersOf,
  selectIsNarrowed,
  selectSearchTerm,
} from "#machines/transcriptions/filters.ts";
import { type Filters, noFilters } from "#machines/transcriptions/rules.ts";
import { sent } from "#tests/paths/harness-moves.ts";
import type { Move, RunOptions, Walk } from "#tests/paths/harness-walk.ts";

/** A word that the title of some rows has. */
const term = "tea";
export const language = "de";

function prepare() {
  return ({ clock, inspect }: RunOptions) => {
    // The person's last input and choices.
    const wanted: { term: string; filters: Filters } = { term: "", filters: noFilters };
    return { actor: createActor(filtersMachine, { clock, inspect }), wanted };
  };
}
export type FiltersHarness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: FiltersHarness) => actor.getSnapshot();

function wants(name: string, event: FiltersEvent, change: { term?: string; filters?: Partial<Filters> }): Move<FiltersHarness> {
  const move = sent(event, name);
  return {
    name,
    may: move.may,
    happen: (harness, clock) => {
      harness.wanted.term = change.term ?? harness.wanted.term;
      harness.wanted.filters = { ...harness.wanted.filters, ...change.filters };
      move.happen(harness, clock);
    },
  };
}
const typed = (name: string, text: string) => wants(name, { type: "search.changed", term: text }, { term: text });

export const filtersWalk: Walk<FiltersHarness> = {
  machine: filtersMachine,
  prepare,
  moves: [
    typed("a word is typed", term),
    typed("only spaces are left", "  "),
    typed("the search is emptied", ""),
    wants("a language is chosen", { type: "language.changed", language }, { filters: { language } }),
    wants("any language will do", { type: "language.changed", language: "all" }, { filters: { language: "all" } }),
    ...(["all", "completed", "processing", "failed"] as const).map((status) =>
      wants(`status: ${status}`, { type: "status.changed", status }, { filters: { status } }),
    ),
    ...(["all", "today", "week", "month"] as const).map((dateRange) =>
      wants(`date: ${dateRange}`, { type: "dateRange.changed", dateRange }, { filters: { dateRange } }),
    ),
    wants("filters.cleared", { type: "filters.cleared" }, { term: "", filters: noFilters }),
  ],
  isLocal: "the list is in the page",
  situation: ({ wanted }) => wanted,
  rules: {
    "the search is what was typed last": (harness) => selectSearchTerm(snapshot(harness)) === harness.wanted.term,
    "each filter is what was chosen last, whatever the others are": (harness) => {
      const { language: code, status, dateRange } = filtersOf(snapshot(harness));
      const { filters } = harness.wanted;
      return code === filters.language && status === filters.status && dateRange === filters.dateRange;
    },
    "it narrows as long as something is typed or chosen": (harness) => {
      const { filters } = harness.wanted;
      const isChosen = Object.values(filters).some((value) => value !== "all");
      return selectIsNarrowed(snapshot(harness)) === (harness.wanted.term.trim() !== "" || isChosen);
    },
  },
};
