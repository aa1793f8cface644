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

  test("are told from rows of the list: what can be tried again, and what was read in part, is one", () => {
    const lasting = (["emptyFile", "notAudio", "noSound", "truncated"] as const).map((code, at) => failed(at, code));
    const others = (["engineFailed", "limitReached", "languageUnavailable", "tooLong"] as const).map((code, at) =>
      failed(10 + at, code),
    );
    const warned = row(20, { error: { message: "no", code: "truncated" } });
    const { listed, unreadable } = divided([warned, ...others, ...lasting]);
    expect(listed).toEqual([warned, ...others]);
    expect(unreadable).toEqual(lasting);
  });

  test("are looked for once in the same rows, which stay what they are while there are none", () => {
    const items = [row(2), failed(1, "notAudio")];
    expect(divided(items)).toBe(divided(items));
    const readable = [row(2), row(1)];
    expect(divided(readable).listed).toBe(readable);
  });
});

describe("the search", () => {
  // SPEC 4 Transcriptions: "a case-insensitive match on title, text and translatedText"
  test.each([
    ["title", { title: "Der GROSSE Plan" }],
    ["text", { text: "ein großer PLAN, gross" }],
    ["translation", { translatedText: "gross PLAN" }],
  ])("looks into the %s, whatever the case", (_, parts) => {
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
  ])("finds by %s what is written %s", (typed, title) => {
    expect(finds(row(1, { title }), typed)).toBe(true);
    expect(finds(row(1, { title: "", translatedText: `so ${title} it is` }), typed)).toBe(true);
  });

  // SPEC 5: "is trimmed, and an empty search is ignored"
  test("does not look for the spaces around the term, and an empty one fits everything", () => {
    expect(finds(row(1, { title: "tea" }), "  tea\n")).toBe(true);
    expect(finds(row(1, { title: "tea" }), " \t ")).toBe(true);
  });

  test("finds nothing that begins in the title and ends in the text", () => {
    const item = row(1, { title: "good", text: "morning" });
    expect(finds(item, "goodmorning")).toBe(false);
    expect(finds(item, "good morning")).toBe(false);
  });

  test("sees a row's new text", () => {
    const item = row(1, { text: "before" });
    expect(finds(item, "before")).toBe(true);
    expect(finds({ ...item, text: "after" }, "after")).toBe(true);
  });
});

describe("the filters", () => {
  // SPEC 4 Transcriptions: "Status filter: completed, processing, failed, all."
  // SPEC 3: "anything else is treated as failed; a missing status means pending"
  test.each([
    ["completed", "completed"],
    ["processing", "processing"],
    ["pending", "processing"],
    [undefined, "processing"],
    ["failed", "failed"],
    ["exploded", "failed"],
  ] as const)("status %s is among the %s", (status, group) => {
    const item = row(1);
    const given = status === undefined ? { ...item, status: undefined } : { ...item, status };
    for (const wanted of ["completed", "processing", "failed"] as const)
      expect(finds(given, "", { status: wanted })).toBe(wanted === group);
    expect(finds(given, "", { status: "all" })).toBe(true);
  });

  // SPEC 4 Transcriptions: "plus the language and status filters"
  test("a language is the one that was asked for, exactly", () => {
    expect(finds(row(1, { sourceLanguage: "en-US" }), "", { language: "en-US" })).toBe(true);
    expect(finds(row(1, { sourceLanguage: "en-GB" }), "", { language: "en-US" })).toBe(false);
    expect(finds(row(1, { sourceLanguage: "auto" }), "", { language: "auto" })).toBe(true);
  });

  // SPEC 4 Transcriptions: "plus the language and status filters"
  test("all of them and the search have to fit", () => {
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
  test("today begins at midnight", () => {
    const asked = local(2026, 4, 20, 15, 30);
    const midnight = local(2026, 4, 20);
    expect(rangeStart("today", asked)).toBe(midnight);
    expect(holds("today", midnight, asked)).toBe(true);
    expect(holds("today", midnight - 1, asked)).toBe(false);
    expect(rangeStart("today", midnight)).toBe(midnight);
  });

  // SPEC 4 Transcriptions: "Date range filter: all, today, week (last 7 days)"
  test("a week is the last seven days, to the minute", () => {
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
  ])("one calendar month back from %s", (_, asked, start) => {
    expect(new Date(rangeStart("month", local(...asked)))).toEqual(new Date(...start));
    expect(holds("month", local(...start), local(...asked))).toBe(true);
    expect(holds("month", local(...start) - 1, local(...asked))).toBe(false);
  });

  // SPEC 4 Transcriptions: "Date range filter: all, today, week (last 7 days)"
  test("all has no beginning", () => {
    expect(holds("all", 0, now)).toBe(true);
  });
});

describe("what may follow", () => {
  test("the last row is anything that a date range has not left behind", () => {
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

describe("two lists as one", () => {
  test("are in their order, the first one's rows before equal ones", () => {
    const [one, other] = [
      [row(5), row(3, { id: "here" }), row(1)],
      [row(6), row(4), row(3, { id: "there" }), row(0)],
    ];
    expect(ids(merged(one, other, "newest"))).toEqual(["t6", "t5", "t4", "here", "there", "t1", "t0"]);
    expect([ids(merged([], other, "newest")), ids(merged(one, [], "newest"))]).toEqual([ids(other), ids(one)]);
  });
});

describe("the rows", () => {
  const three = [row(30), row(20), row(10)];

  // SPEC 4 Transcriptions: "New transcriptions are added at the top of the list."
  test("a new one comes on top and is counted", () => {
    const after = withUpdatedRow(list(three), row(40));
    expect(ids(after.items)).toEqual(["t40", "t30", "t20", "t10"]);
    expect(after.pagination.total).toBe(4);
  });

  test("a new one of the same moment stands after those that were there", () => {
    expect(ids(withUpdatedRow(list(three), row(30, { id: "same" })).items)).toEqual(["t30", "same", "t20", "t10"]);
  });

  test("a known one changes where it stands, and is not counted twice", () => {
    const after = withUpdatedRow(list(three, 50), row(10, { title: "renamed" }));
    expect(after.items.at(2)?.title).toBe("renamed");
    expect(ids(after.items)).toEqual(["t30", "t20", "t10"]);
    expect(after.pagination.total).toBe(50);
  });

  test("one that is older than all that were fetched waits for its page, and is counted already", () => {
    const before = list(three, 50);
    expect(withUpdatedRow(before, row(1))).toEqual(before);
    expect(ids(withUpdatedRow(list(three), row(1)).items)).toEqual(["t30", "t20", "t10", "t1"]);
  });

  test("one that was taken away comes back to its place, be it the last", () => {
    const without = withoutRows(list(three, 50), ["t10"]);
    expect([ids(without.items), without.pagination.total]).toEqual([["t30", "t20"], 49]);
    const back = withRows(without, [row(10)]);
    expect([ids(back.items), back.pagination.total]).toEqual([["t30", "t20", "t10"], 50]);
  });

  test("one that is not there can't be taken away", () => {
    const before = list(three, 50);
    expect(withoutRows(before, ["t99"])).toEqual(before);
  });

  test("a page brings only what is not there yet", () => {
    expect(ids(withPage(three, [row(20), row(10), row(5)]))).toEqual(["t30", "t20", "t10", "t5"]);
    expect(ids(withPage([], three))).toEqual(["t30", "t20", "t10"]);
    expect(ids(withPage(three, []))).toEqual(["t30", "t20", "t10"]);
  });

  test("newer ones on a later page still come on top", () => {
    expect(ids(withPage(three, [row(35), row(30), row(5)]))).toEqual(["t35", "t30", "t20", "t10", "t5"]);
  });

  test("what was heard while an answer was on its way holds", () => {
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
