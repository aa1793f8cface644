import { describe, expect, test } from "vitest";
import type { HistorySort, TranscriptionSummary } from "#contract/index.ts";
import {
  firstPage,
  fitsFiled,
  isSameFiled,
  isUnreadable,
  mayFollow,
  merged,
  moreLimit,
  nextPage,
  noFiledFilters,
  pageAfter,
  sorted,
  withoutRows,
  withPage,
  withRecentChanges,
  withRows,
  withUpdatedRow,
} from "#machines/transcriptions/rules.ts";
import { row } from "#tests/machines/harness.ts";

const ids = (items: readonly TranscriptionSummary[]) => items.map(({ id }) => id);
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(count - at));
const list = (items: readonly TranscriptionSummary[], total = items.length, sort?: HistorySort) => ({
  items,
  pagination: { page: 1, limit: 20, total, totalPages: 1 },
  ...(sort && { sort }),
});

describe("order of the history", () => {
  const items = [
    row(2, { title: "b", durationSeconds: 5 }),
    row(4, { title: "A" }),
    row(1, { title: "c", durationSeconds: 0 }),
    row(3, { title: "d", durationSeconds: 60 }),
  ];

  test.each([
    ["newest", ["t4", "t3", "t2", "t1"]],
    ["oldest", ["t1", "t2", "t3", "t4"]],
    ["longest", ["t3", "t2", "t1", "t4"]],
    ["title", ["t4", "t2", "t1", "t3"]],
  ] as const)("sorts the history by %s", (sort, expected) => {
    expect(ids(sorted(items, sort))).toEqual(expected);
    expect(ids(merged(sorted(items.slice(0, 2), sort), sorted(items.slice(2), sort), sort))).toEqual(expected);
    const [first, ...others] = items;
    if (first === undefined) throw new Error("There is a first row.");
    const all = list(sorted(others, sort), 3, sort);
    expect(ids(withUpdatedRow(all, first).items)).toEqual(expected);
    expect(ids(withRows(all, [first]).items)).toEqual(expected);
    expect(ids(withPage(all.items, [first], sort))).toEqual(expected);
    expect(ids(withRecentChanges(all, new Map([["t2", first]])).items)).toEqual(expected);
  });

  test("keeps equal rows in their order, with a new one behind them", () => {
    const same = [row(1, { durationSeconds: 5 }), row(2, { durationSeconds: 5 })];
    expect(ids(sorted(same, "longest"))).toEqual(["t1", "t2"]);
    expect(ids(withUpdatedRow(list(same, 2, "longest"), row(3, { durationSeconds: 5 })).items)).toEqual(["t1", "t2", "t3"]);
    expect(ids(merged(same, [row(3, { durationSeconds: 5 })], "longest"))).toEqual(["t1", "t2", "t3"]);
    const page = withPage(same, [row(3, { durationSeconds: 5 }), row(4, { durationSeconds: 9 })], "longest");
    expect(ids(page)).toEqual(["t1", "t2", "t3", "t4"]);
  });

  test("keeps the places of two rows that were updated during a request", () => {
    const heard = withRecentChanges(
      list(sorted(items, "oldest"), 4, "oldest"),
      new Map([
        ["t9", row(9)],
        ["t0", row(0)],
        ["t3", null],
      ]),
    );
    expect([ids(heard.items), heard.pagination.total]).toEqual([["t0", "t1", "t2", "t4", "t9"], 5]);
  });
});

describe("updated row", () => {
  test("an updated row waits for its page if more rows follow, and is shown at once in a complete list", () => {
    expect(ids(withUpdatedRow(list(rows(2), 3), row(0)).items)).toEqual(["t2", "t1"]);
    expect(withUpdatedRow(list(rows(2), 2), row(0))).toMatchObject({ items: [row(2), row(1), row(0)], pagination: { total: 3 } });
    expect(ids(withUpdatedRow(list([], 3), row(0)).items)).toEqual(["t0"]);
    expect(ids(withUpdatedRow(list(rows(2), 3), row(1, { id: "same" })).items)).toEqual(["t2", "t1", "same"]);
  });

  test("an updated row changes in place when it is the last known row", () => {
    const later = row(1, { date: row(0).date });
    expect(withUpdatedRow(list(rows(2), 9), later)).toMatchObject({ items: [row(2), later], pagination: { total: 9 } });
  });

  test("the updated row is counted once, and so is each removed row", () => {
    expect(withRows(list(rows(3), 9), [row(2, { title: "x" }), row(0), row(-1)])).toMatchObject({
      items: [{ id: "t3" }, { title: "x" }, { id: "t1" }, { id: "t0" }, { id: "t-1" }],
      pagination: { total: 11 },
    });
    expect(withRows(list(rows(3), 9), [row(2, { title: "x" })]).pagination.total).toBe(9);
    expect(withoutRows(list(rows(3), 9), ["t1", "t3", "t7"])).toMatchObject({ items: [{ id: "t2" }], pagination: { total: 7 } });
    expect(withoutRows(list(rows(3), 1), ["t1", "t3"]).pagination.total).toBe(0);
  });
});

describe("next page of the history", () => {
  test.each([
    [0, 1],
    [19, 1],
    [20, 2],
    [39, 2],
    [40, 3],
  ])("the next page of the history is page %i after %i rows when pages have 20", (count, page) => {
    expect(pageAfter(count, 20, null)).toEqual({ page, limit: 20 });
    expect(pageAfter(count, 20, "c")).toEqual({ page, limit: 20, after: "c" });
  });

  test("a history request includes the order unless it is the default", () => {
    expect(nextPage({ items: rows(40), sort: "newest", next: null }, 20)).toEqual({ page: 3, limit: 20 });
    expect(nextPage({ items: rows(40), sort: "title", next: "c" }, 20)).toEqual({
      page: 3,
      limit: 20,
      after: "c",
      sort: "title",
    });
    expect(firstPage({ items: [], sort: "longest", next: null })).toEqual({ page: 1, limit: 20, sort: "longest" });
  });

  test.each([
    [0, 20],
    [20, 20],
    [21, 40],
    [1000, 1000],
    [1001, 1000],
  ])("loads all %i shown rows again on the first page: %i", (count, limit) => {
    expect(firstPage({ items: rows(count), sort: "newest", next: "c" })).toEqual({ page: 1, limit });
  });

  test.each([
    [20, 20, 100],
    [100, 20, 100],
    [101, 20, 101],
    [500, 20, 500],
    [501, 20, 500],
  ])("has %i rows after it %i, or %i while a filter hides most", (count, plain, narrowed) => {
    const fetched = { items: rows(count), sort: "newest", next: null } as const;
    expect([moreLimit(false, fetched), moreLimit(true, fetched)]).toEqual([plain, narrowed]);
  });

  test("the next page of the history may have rows of a date range until a row is older", () => {
    const now = Date.parse("2026-05-20T12:00:00Z");
    const week = 7 * 86_400_000;
    const follows = (at: number) => mayFollow({ date: new Date(at).toISOString() }, "week", now);
    expect([follows(now - week + 7_200_000), follows(now - week - 7_200_000)]).toEqual([true, false]);
  });
});

describe("filing of a row", () => {
  const filed = (folderId: string | null, tagIds: string[] = [], favourite = false) =>
    row(1, { filed: { folderId, tagIds, favourite } });
  const folders = new Set(["f", "g"]);
  const fits = (item: TranscriptionSummary, filters: object) => fitsFiled(item, { ...noFiledFilters, folders, ...filters });

  test("a row matches any folder, its own, or none if its folder was deleted", () => {
    expect([fits(row(1), {}), fits(filed("f"), {})]).toEqual([true, true]);
    expect([filed("f"), filed("g"), filed(null), row(1)].map((one) => fits(one, { folder: "f" }))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const inNone = [filed("f"), filed("gone"), filed(null), row(1)].map((one) => fits(one, { folder: "none" }));
    expect(inNone).toEqual([false, true, true, true]);
  });

  test("a row matches if it has all wanted tags and, if wanted, the favorite mark", () => {
    const tagged = [filed(null, ["a", "b"]), filed(null, ["a"]), row(1)];
    expect(tagged.map((one) => fits(one, { tags: ["a", "b"] }))).toEqual([true, false, false]);
    expect([filed(null, [], true), filed(null), row(1)].map((one) => fits(one, { favourites: true }))).toEqual([
      true,
      false,
      false,
    ]);
    expect(fits(filed("f", ["a"], true), { folder: "g", tags: ["a"], favourites: true })).toBe(false);
  });

  test("equal folder and tag filters match the same rows", () => {
    const one = { ...noFiledFilters, folder: "f", tags: ["a", "b"] };
    expect(isSameFiled(one, { ...one, tags: ["a", "b"], folders })).toBe(true);
    expect(isSameFiled(one, { ...one, folder: "g" })).toBe(false);
    expect(isSameFiled(one, { ...one, tags: ["a"] })).toBe(false);
    expect(isSameFiled(one, { ...one, favourites: true })).toBe(false);
    const none = { ...one, folder: "none" };
    expect([isSameFiled(none, { ...none }), isSameFiled(none, { ...none, folders })]).toEqual([true, false]);
  });
});

test("recognizes only codes of files that can never be read", () => {
  const codes = ["emptyFile", "notAudio", "noSound", "truncated", "unreadable"];
  expect(codes.map(isUnreadable)).toEqual(codes.map(() => true));
  expect(["network", "engineFailed", null, undefined].map(isUnreadable)).toEqual([false, false, false, false]);
});
