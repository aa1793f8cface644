import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ErrorCode, TranscriptionSummary } from "#contract/index.ts";
import {
  divided,
  type Filters,
  matcher,
  mayFollow,
  merged,
  noFilters,
  rangeStart,
  withoutRows,
  withPage,
  withRecentChanges,
  withRows,
  withUpdatedRow,
} from "#machines/transcriptions/rules.ts";
import { row } from "#tests/machines/harness.ts";

const ids = (items: readonly TranscriptionSummary[]) => items.map(({ id }) => id);
const now = new Date(2026, 4, 20, 15, 30).getTime();
const finds = (item: TranscriptionSummary, term: string, filters: Partial<Filters> = {}) =>
  matcher(term, { ...noFilters, ...filters }, now)(item);
const list = (items: readonly TranscriptionSummary[], total = items.length) => ({
  items,
  pagination: { page: 1, limit: 20, total, totalPages: Math.ceil(total / 20) },
});

describe("files that can't be read", () => {
  const failed = (minute: number, code: ErrorCode) => row(minute, { status: "failed", error: { message: "no", code } });

  test("separates unreadable files from rows that can be retried or were read in part", () => {
    const lasting = (["emptyFile", "notAudio", "noSound", "truncated"] as const).map((code, at) => failed(at, code));
    const others = (["engineFailed", "limitReached", "languageUnavailable", "tooLong"] as const).map((code, at) =>
      failed(10 + at, code),
    );
    const warned = row(20, { error: { message: "no", code: "truncated" } });
    const { listed, unreadable } = divided([warned, ...others, ...lasting]);
    expect(listed).toEqual([warned, ...others]);
    expect(unreadable).toEqual(lasting);
  });

  test("the filtered history is cached for the same rows", () => {
    const items = [row(2), failed(1, "notAudio")];
    expect(divided(items)).toBe(divided(items));
    const readable = [row(2), row(1)];
    expect(divided(readable).listed).toBe(readable);
  });
});

describe("search in loaded rows", () => {
  // SPEC 4 Transcriptions: "a case-insensitive match on title, text and translatedText"
  test.each([
    ["title", { title: "Der GROSSE Plan" }],
    ["text", { text: "ein großer PLAN, gross" }],
    ["translation", { translatedText: "gross PLAN" }],
  ])("the search of the history looks in the %s, ignoring case", (_, parts) => {
    const item = row(1, { title: "", ...parts });
    expect(finds(item, "gross")).toBe(true);
    expect(finds(item, "pLaN")).toBe(true);
    expect(finds(item, "plane")).toBe(false);
  });

  test.each([
    ["istanbul", "İstanbul"],
    ["cafe", "Café"],
    ["cafe", "Cafe\u0301"],
    ["CAFÉ", "cafe"],
    ["strasse", "Straße"],
    ["arger", "Ärger"],
    ["it's", "it’s"],
  ])("finds by %s a text written %s", (typed, title) => {
    expect(finds(row(1, { title }), typed)).toBe(true);
    expect(finds(row(1, { title: "", translatedText: `so ${title} it is` }), typed)).toBe(true);
  });

  // SPEC 5: "is trimmed, and an empty search is ignored"
  test("ignores spaces around the term, and matches everything without one", () => {
    expect(finds(row(1, { title: "tea" }), "  tea\n")).toBe(true);
    expect(finds(row(1, { title: "tea" }), " \t ")).toBe(true);
  });

  test("the search of the history does not match across title and text", () => {
    const item = row(1, { title: "good", text: "morning" });
    expect(finds(item, "goodmorning")).toBe(false);
    expect(finds(item, "good morning")).toBe(false);
  });

  test("the search of the history finds words of a row's new text", () => {
    const item = row(1, { text: "before" });
    expect(finds(item, "before")).toBe(true);
    expect(finds({ ...item, text: "after" }, "after")).toBe(true);
  });
});

describe("filters of loaded rows", () => {
  // SPEC 4 Transcriptions: "Status filter: completed, processing, failed, all."
  // SPEC 3: "anything else is treated as failed; a missing status means pending"
  test.each([
    ["completed", "completed"],
    ["processing", "processing"],
    ["pending", "processing"],
    [undefined, "processing"],
    ["failed", "failed"],
    ["exploded", "failed"],
  ] as const)("the history's filter counts status %s among the %s", (status, group) => {
    const item = row(1);
    const given = status === undefined ? { ...item, status: undefined } : { ...item, status };
    for (const wanted of ["completed", "processing", "failed"] as const)
      expect(finds(given, "", { status: wanted })).toBe(wanted === group);
    expect(finds(given, "", { status: "all" })).toBe(true);
  });

  // SPEC 4 Transcriptions: "plus the language and status filters"
  test("a language filter matches exactly the requested language", () => {
    expect(finds(row(1, { sourceLanguage: "en-US" }), "", { language: "en-US" })).toBe(true);
    expect(finds(row(1, { sourceLanguage: "en-GB" }), "", { language: "en-US" })).toBe(false);
    expect(finds(row(1, { sourceLanguage: "auto" }), "", { language: "auto" })).toBe(true);
  });

  // SPEC 4 Transcriptions: "plus the language and status filters"
  test("the filters of loaded rows must all match, including the search", () => {
    const item = row(1, { title: "tea", sourceLanguage: "de", status: "failed", date: new Date(now).toISOString() });
    const all: Filters = { language: "de", status: "failed", dateRange: "today" };
    expect(finds(item, "tea", all)).toBe(true);
    expect(finds(item, "milk", all)).toBe(false);
    expect(finds({ ...item, sourceLanguage: "en-US" }, "tea", all)).toBe(false);
    expect(finds({ ...item, status: "completed" }, "tea", all)).toBe(false);
    expect(finds({ ...item, date: new Date(2026, 4, 19, 23, 59).toISOString() }, "tea", all)).toBe(false);
  });
});

describe.each(["UTC", "America/New_York", "Pacific/Auckland"])("date ranges in %s", (zone) => {
  beforeEach(() => vi.stubEnv("TZ", zone));
  afterEach(() => vi.unstubAllEnvs());
  type Parts = [year: number, month: number, day: number, hours?: number, minutes?: number];
  const local = (...parts: Parts) => new Date(...parts).getTime();
  const holds = (dateRange: Filters["dateRange"], at: number, asked: number) =>
    matcher("", { ...noFilters, dateRange }, asked)(row(1, { date: new Date(at).toISOString() }));

  // SPEC 4 Transcriptions: "Date range filter: all, today, week (last 7 days)"
  test('the date range "today" begins at midnight', () => {
    const asked = local(2026, 4, 20, 15, 30);
    const midnight = local(2026, 4, 20);
    expect(rangeStart("today", asked)).toBe(midnight);
    expect(holds("today", midnight, asked)).toBe(true);
    expect(holds("today", midnight - 1, asked)).toBe(false);
    expect(rangeStart("today", midnight)).toBe(midnight);
  });

  // SPEC 4 Transcriptions: "Date range filter: all, today, week (last 7 days)"
  test('the date range "week" begins exactly seven days ago', () => {
    const asked = local(2026, 4, 3, 15, 30);
    const start = local(2026, 3, 26, 15, 30);
    expect(holds("week", start, asked)).toBe(true);
    expect(holds("week", start - 1, asked)).toBe(false);
  });

  // SPEC 4 Transcriptions: "Date range filter: all, today, week (last 7 days)"
  test.each<[string, Parts, Parts]>([
    ["20 May", [2026, 4, 20, 15, 30], [2026, 3, 20, 15, 30]],
    ["31 March", [2026, 2, 31, 9], [2026, 1, 28, 9]],
    ["31 March of a leap year", [2028, 2, 31, 9], [2028, 1, 29, 9]],
    ["31 May", [2026, 4, 31, 9], [2026, 3, 30, 9]],
    ["15 January", [2026, 0, 15, 9], [2025, 11, 15, 9]],
    ["31 January", [2026, 0, 31, 9], [2025, 11, 31, 9]],
  ])('the date range "month" goes one calendar month back from %s', (_, asked, start) => {
    expect(new Date(rangeStart("month", local(...asked)))).toEqual(new Date(...start));
    expect(holds("month", local(...start), local(...asked))).toBe(true);
    expect(holds("month", local(...start) - 1, local(...asked))).toBe(false);
  });

  // SPEC 4 Transcriptions: "Date range filter: all, today, week (last 7 days)"
  test('the date range "all" has no beginning', () => {
    expect(holds("all", 0, now)).toBe(true);
  });
});

describe("rows after the last one", () => {
  test("the rows after the last one may match a date range until it is passed", () => {
    const at = (days: number) => ({ date: new Date(now - days * 86_400_000).toISOString() });
    const follows = (days: number, range: Filters["dateRange"]) => mayFollow(at(days), range, now);
    expect([follows(6, "week"), follows(8, "week"), follows(800, "all"), mayFollow(undefined, "week", now)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});

describe("merge of two lists", () => {
  test("keeps the order, with the first list's rows before equal ones", () => {
    const [one, other] = [
      [row(5), row(3, { id: "here" }), row(1)],
      [row(6), row(4), row(3, { id: "there" }), row(0)],
    ];
    expect(ids(merged(one, other, "newest"))).toEqual(["t6", "t5", "t4", "here", "there", "t1", "t0"]);
    expect([ids(merged([], other, "newest")), ids(merged(one, [], "newest"))]).toEqual([ids(other), ids(one)]);
  });
});

describe("changes of the rows", () => {
  const three = [row(30), row(20), row(10)];

  // SPEC 4 Transcriptions: "New transcriptions are added at the top of the list."
  test("changes of the rows put a new row on top and count it", () => {
    const after = withUpdatedRow(list(three), row(40));
    expect(ids(after.items)).toEqual(["t40", "t30", "t20", "t10"]);
    expect(after.pagination.total).toBe(4);
  });

  test("changes of the rows put a new row behind others of the same moment", () => {
    expect(ids(withUpdatedRow(list(three), row(30, { id: "same" })).items)).toEqual(["t30", "same", "t20", "t10"]);
  });

  test("changes of the rows change a known row in place without counting it again", () => {
    const after = withUpdatedRow(list(three, 50), row(10, { title: "renamed" }));
    expect(after.items.at(2)?.title).toBe("renamed");
    expect(ids(after.items)).toEqual(["t30", "t20", "t10"]);
    expect(after.pagination.total).toBe(50);
  });

  test("changes of the rows leave a row older than all loaded ones to its page", () => {
    const before = list(three, 50);
    expect(withUpdatedRow(before, row(1))).toEqual(before);
    expect(ids(withUpdatedRow(list(three), row(1)).items)).toEqual(["t30", "t20", "t10", "t1"]);
  });

  test("changes of the rows return a removed row to its place, even the last", () => {
    const without = withoutRows(list(three, 50), ["t10"]);
    expect([ids(without.items), without.pagination.total]).toEqual([["t30", "t20"], 49]);
    const back = withRows(without, [row(10)]);
    expect([ids(back.items), back.pagination.total]).toEqual([["t30", "t20", "t10"], 50]);
  });

  test("changes of the rows ignore the removal of an unknown row", () => {
    const before = list(three, 50);
    expect(withoutRows(before, ["t99"])).toEqual(before);
  });

  test("changes of the rows add only unknown rows of a page", () => {
    expect(ids(withPage(three, [row(20), row(10), row(5)]))).toEqual(["t30", "t20", "t10", "t5"]);
    expect(ids(withPage([], three))).toEqual(["t30", "t20", "t10"]);
    expect(ids(withPage(three, []))).toEqual(["t30", "t20", "t10"]);
  });

  test("changes of the rows put newer rows of a later page on top", () => {
    expect(ids(withPage(three, [row(35), row(30), row(5)]))).toEqual(["t35", "t30", "t20", "t10", "t5"]);
  });

  test("changes of the rows apply updates that arrived during a request", () => {
    const changed = row(20, { title: "renamed" });
    const now = withRecentChanges(
      list(three),
      new Map([
        ["t30", null],
        ["t20", changed],
        ["t40", row(40)],
      ]),
    );
    expect(now.items).toEqual([row(40), changed, row(10)]);
    expect(now.pagination.total).toBe(3);
  });
});
