import { expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type FiltersEvent,
  filtersMachine,
  filtersOf,
  selectDateRange,
  selectIsNarrowed,
  selectLanguage,
  selectSearchTerm,
  selectStatus,
} from "#machines/transcriptions/filters.ts";
import { noFilters } from "#machines/transcriptions/rules.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

function setUp(...events: readonly FiltersEvent[]) {
  const actor = stopsAfterTest(createActor(filtersMachine).start());
  for (const event of events) actor.send(event);
  return {
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
  };
}

test("the history's filters show all transcripts at first", () => {
  const { get } = setUp();
  expect([get(selectSearchTerm), get(filtersOf), get(selectIsNarrowed)]).toEqual(["", noFilters, false]);
});

// SPEC 5: "is trimmed, and an empty search is ignored"
test("keeps the search as typed, and ignores mere spaces", () => {
  const { send, get } = setUp({ type: "search.changed", term: " x" });
  expect([get(selectSearchTerm), get(selectIsNarrowed)]).toEqual([" x", true]);
  send({ type: "search.changed", term: "  \n" });
  expect([get(selectSearchTerm), get(selectIsNarrowed)]).toEqual(["  \n", false]);
});

test.each<FiltersEvent>([
  { type: "language.changed", language: "de" },
  { type: "dateRange.changed", dateRange: "week" },
  { type: "status.changed", status: "failed" },
])("the filter $type alone narrows the history", (event) => {
  expect(setUp(event).get(selectIsNarrowed)).toBe(true);
});

// SPEC 4 Transcriptions: "Status filter: completed, processing, failed, all."
test.each(["completed", "processing", "failed", "all"] as const)("sets the status to %s from any other", (status) => {
  for (const before of ["completed", "processing", "failed", "all"] as const) {
    const { get } = setUp({ type: "status.changed", status: before }, { type: "status.changed", status });
    expect([get(selectStatus), get(selectIsNarrowed)]).toEqual([status, status !== "all"]);
  }
});

// SPEC 4 Transcriptions: "Date range filter: all, today, week (last 7 days)"
test.each(["today", "week", "month", "all"] as const)("sets the date range to %s from any other", (dateRange) => {
  for (const before of ["today", "week", "month", "all"] as const) {
    const { get } = setUp({ type: "dateRange.changed", dateRange: before }, { type: "dateRange.changed", dateRange });
    expect([get(selectDateRange), get(selectIsNarrowed)]).toEqual([dateRange, dateRange !== "all"]);
  }
});

test("selects a language and deselects it", () => {
  const { send, get } = setUp({ type: "language.changed", language: "de" }, { type: "language.changed", language: "en-US" });
  expect([get(selectLanguage), get(selectIsNarrowed)]).toEqual(["en-US", true]);
  send({ type: "language.changed", language: "all" });
  expect([get(selectLanguage), get(selectIsNarrowed)]).toEqual(["all", false]);
});

test("changes one filter without the others, and clears all together", () => {
  const { send, get } = setUp(
    { type: "status.changed", status: "failed" },
    { type: "language.changed", language: "de" },
    { type: "dateRange.changed", dateRange: "month" },
    { type: "search.changed", term: "tea" },
  );
  expect([get(selectSearchTerm), get(filtersOf)]).toEqual(["tea", { language: "de", dateRange: "month", status: "failed" }]);
  send({ type: "filters.cleared" });
  expect([get(selectSearchTerm), get(filtersOf), get(selectIsNarrowed)]).toEqual(["", noFilters, false]);
});
