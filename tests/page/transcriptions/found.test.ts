import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { TranscriptionsCommand } from "#machines/transcriptions/events.ts";
import { selectFoundRows, selectOutline } from "#machines/transcriptions/found/selectors.ts";
import { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import type { PageAnswer, PageRequest } from "#machines/transcriptions/rules.ts";
import { selectItems } from "#machines/transcriptions/selectors.ts";
import { type SearchRequest, serverSearchMachine } from "#machines/transcriptions/server-search.ts";
import { followFound } from "#src/features/transcriptions/found.ts";
import { row, stopsAfterTest, tick } from "#tests/machines/harness.ts";

function filtersIn(actor: ActorRefFrom<typeof transcriptionsMachine>) {
  const { filters } = actor.getSnapshot().children;
  return filters ?? expect.fail("there are no filters");
}

/** The answer of a server with these rows: a page of the rows whose titles contain the text. */
function answerOf(rows: readonly TranscriptionSummary[], { page, limit }: PageRequest, search = ""): PageAnswer {
  const found = rows.filter(({ title }) => title.toLowerCase().includes(search));
  const pagination = { page, limit, total: found.length, totalPages: Math.ceil(found.length / limit) };
  return { data: found.slice((page - 1) * limit, page * limit), pagination };
}

/** The first page of a list of these rows, loaded. @param searched the server's search; by default in the titles */
async function openList(
  rows: readonly TranscriptionSummary[],
  searched: (request: SearchRequest) => PageAnswer = (request) => answerOf(rows, request, request.search),
) {
  const asked = { pages: [] as PageRequest[], searches: [] as SearchRequest[] };
  const idle = fromCallback<TranscriptionsCommand>(() => {});
  const machine = transcriptionsMachine.provide({
    actors: {
      fetchPage: fromPromise<PageAnswer, PageRequest>(async ({ input }) => {
        asked.pages.push(input);
        return answerOf(rows, input);
      }),
      search: serverSearchMachine.provide({
        actors: {
          search: fromPromise<PageAnswer, SearchRequest>(async ({ input }) => {
            asked.searches.push(input);
            return searched(input);
          }),
        },
      }),
      commands: idle,
      updates: idle,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => 0 } }).start());
  const filters = filtersIn(actor);
  const selected: (readonly string[])[] = [];
  const found = stopsAfterTest(followFound(actor, filters));
  found.on("all.found", ({ ids }) => selected.push(ids));
  actor.send({ type: "list.requested" });
  await tick();
  return {
    actor,
    asked,
    filters,
    found,
    selected,
    search: (term: string) => filters.send({ type: "search.changed", term }),
    titles: () => selectFoundRows(found.getSnapshot()).map(({ title }) => title),
  };
}

/** A list of rows with these titles, all of them loaded. */
const setUp = (titles: readonly string[]) => openList(titles.map((title, index) => row(titles.length - index, { title })));

/** Timers stand still until the test moves them. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Passes the delay after the last typed letter, and handles what follows it. */
async function typingEnds(): Promise<void> {
  await vi.advanceTimersByTimeAsync(300);
  await settle();
}

/** Waits for answers and for calls that follow from them. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await tick();
}

test("the history shows all rows without a search", async () => {
  const { titles } = await setUp(["tea", "milk"]);
  expect(titles()).toEqual(["tea", "milk"]);
});

test("narrows with a longer term, widens with a shorter one, and restarts with another", async () => {
  const { search, titles } = await setUp(["tea", "teapot", "milk"]);
  for (const [term, expected] of [
    ["t", ["tea", "teapot"]],
    ["teap", ["teapot"]],
    ["te", ["tea", "teapot"]],
    [" TEA ", ["tea", "teapot"]],
    ["teapots", []],
    ["mi", ["milk"]],
    ["", ["tea", "teapot", "milk"]],
  ] as const) {
    search(term);
    await tick();
    expect(titles(), term).toEqual(expected);
  }
});

test("the search of the history never finds a file that can't be read", async () => {
  const { actor, search, titles } = await setUp(["tea", "milk"]);
  const failed = row(9, { title: "tea.mp3", status: "failed", error: { message: "no", code: "notAudio" } });
  actor.send({ type: "transcription.updated", transcription: failed });
  await tick();
  expect(titles()).toEqual(["tea", "milk"]);
  search("tea");
  await tick();
  expect(titles()).toEqual(["tea"]);
});

test("finds what the filters by folder and tag match, over several pages, together with a search", async () => {
  const { asked, actor, search, titles } = await openList(
    Array.from({ length: 130 }, (_, index) => {
      const filed = { folderId: index === 125 ? "w" : null, tagIds: index < 2 ? ["u"] : [], favourite: index === 1 };
      return row(130 - index, { title: index % 2 === 0 ? "tea" : "milk", filed });
    }),
  );
  const { filedFilters } = actor.getSnapshot().children;
  filedFilters?.send({ type: "folder.changed", folder: "w" });
  await settle();
  expect([titles(), asked.pages.length]).toEqual([["milk"], 3]);
  filedFilters?.send({ type: "folder.changed", folder: "all" });
  filedFilters?.send({ type: "tag.toggled", id: "u" });
  await settle();
  expect(titles()).toEqual(["tea", "milk"]);
  search("tea");
  await settle();
  expect(titles()).toEqual(["tea"]);
  search("");
  filedFilters?.send({ type: "favourites.toggled" });
  await settle();
  expect(titles()).toEqual(["milk"]);
  filedFilters?.send({ type: "filters.cleared" });
  await settle();
  expect(titles().length).toBe(130);
});

test("the filtered history follows rows that appear and disappear", async () => {
  const { actor, search, titles } = await setUp(["tea", "milk"]);
  search("tea");
  await tick();
  actor.send({ type: "transcription.updated", transcription: row(9, { title: "more tea" }) });
  await tick();
  expect(titles()).toEqual(["more tea", "tea"]);
  actor.send({ type: "transcriptions.removed", ids: ["t2"] });
  await tick();
  expect(titles()).toEqual(["more tea"]);
});

test("shows no rows of a previous filter", async () => {
  const { filters, search, titles } = await setUp(["tea", "milk"]);
  search("tea");
  await tick();
  filters.send({ type: "status.changed", status: "failed" });
  await tick();
  expect(titles()).toEqual([]);
  filters.send({ type: "status.changed", status: "all" });
  await tick();
  expect(titles()).toEqual(["tea"]);
});

test("shows the last search's rows, even if earlier ones answer later", async () => {
  const { search, titles } = await setUp(["tea", "milk"]);
  search("tea");
  search("");
  await tick();
  expect(titles()).toEqual(["tea", "milk"]);
});

test("finds text beyond the beginning of a long transcript on the server", async () => {
  holdTimers();
  const rows = [row(3, { title: "tea", shortened: true }), row(2, { title: "milk" }), row(1, { title: "long", shortened: true })];
  // The server may also answer about an outdated text: "milk" is complete here.
  const { asked, filters, titles } = await openList(rows, (request) => answerOf(rows.slice(1), request));
  filters.send({ type: "search.changed", term: "t" });
  filters.send({ type: "search.changed", term: " Tea" });
  await tick();
  expect(titles()).toEqual(["tea"]);
  await typingEnds();
  // Rows that are complete here are searched only here.
  expect(titles()).toEqual(["tea", "long"]);
  expect(asked.searches).toEqual([{ search: "tea", page: 1, limit: 50 }]);
  filters.send({ type: "status.changed", status: "failed" });
  await tick();
  expect(titles()).toEqual([]);
  filters.send({ type: "filters.cleared" });
  await tick();
  expect(titles()).toEqual(["tea", "milk", "long"]);
});

/** Every tenth row is about tea, and has failed. */
const many = Array.from({ length: 2_000 }, (_, index) => {
  const number = 2_000 - index;
  return row(number, number % 10 === 0 ? { title: `tea ${number}`, status: "failed" } : { title: `milk ${number}` });
});
const teas = (count: number) => Array.from({ length: count }, (_, index) => `tea ${2_000 - index * 10}`);

describe("long history that is loaded only as far as visible", () => {
  test("asks the server for matching rows page by page", async () => {
    holdTimers();
    const { actor, asked, found, search, titles } = await openList(many);
    search("tea");
    await tick();
    // Loaded rows are found at once.
    expect([titles(), selectOutline(found.getSnapshot())]).toEqual([teas(2), { total: 2, isMore: true, isSearching: true }]);
    await typingEnds();
    // The server has counted the matches.
    expect([titles(), selectOutline(found.getSnapshot())]).toEqual([teas(50), { total: 200, isMore: false, isSearching: false }]);
    found.send({ type: "more.requested" });
    await settle();
    expect(titles()).toEqual(teas(100));
    expect([asked.pages.length, asked.searches]).toEqual([
      1,
      [
        { search: "tea", page: 1, limit: 50 },
        { search: "tea", page: 2, limit: 50 },
      ],
    ]);
    search("tea 2000");
    await tick();
    // The rows that the server found before are searched until it answers.
    expect([titles(), selectOutline(found.getSnapshot())]).toEqual([["tea 2000"], { total: 1, isMore: true, isSearching: true }]);
    search("tea 1900");
    await tick();
    expect(titles()).toEqual(["tea 1900"]);
    search("tea 2000");
    await typingEnds();
    expect([titles(), selectOutline(found.getSnapshot())]).toEqual([
      ["tea 2000"],
      { total: 1, isMore: false, isSearching: false },
    ]);
    search("");
    await settle();
    expect([titles().length, selectItems(actor.getSnapshot()).length]).toEqual([20, 20]);
  });

  test("loads growing pages for a filter until enough is visible", async () => {
    const { asked, filters, found, titles } = await openList(many);
    filters.send({ type: "status.changed", status: "failed" });
    await settle();
    expect([titles(), selectOutline(found.getSnapshot())]).toEqual([teas(80), { total: 80, isMore: true, isSearching: false }]);
    expect(asked.pages.slice(1)).toEqual([
      { page: 1, limit: 100 },
      { page: 2, limit: 100 },
      { page: 2, limit: 200 },
      { page: 2, limit: 400 },
    ]);
    found.send({ type: "more.requested" });
    await settle();
    expect([titles().length, asked.pages.length]).toEqual([150, 7]);
  });

  test("loading the history stops at the beginning of a date range", async () => {
    const newest = Date.UTC(2026, 2, 1);
    vi.useFakeTimers({ toFake: ["Date"], now: newest });
    onTestFinished(() => void vi.useRealTimers());
    const hourly = many.map((one, hours) => ({ ...one, date: new Date(newest - hours * 3_600_000).toISOString() }));
    const { asked, filters, found, titles } = await openList(hourly);
    filters.send({ type: "status.changed", status: "failed" });
    filters.send({ type: "dateRange.changed", dateRange: "week" });
    await settle();
    // The page with the row of seven days ago is the last one.
    expect([titles(), selectOutline(found.getSnapshot())]).toEqual([teas(17), { total: 17, isMore: false, isSearching: false }]);
    expect(asked.pages.length).toBe(3);
  });

  test("never shows unreadable files that the server finds", async () => {
    holdTimers();
    const error = { message: "no", code: "notAudio" } as const;
    const rows = many.map((one) => (one.title === "tea 1600" ? { ...one, error } : one));
    const { found, search, titles } = await openList(rows);
    search("tea");
    await typingEnds();
    expect([titles().includes("tea 1600"), titles().length, selectOutline(found.getSnapshot()).total]).toEqual([false, 99, 199]);
  });

  test("searches on the page if the server can't search", async () => {
    holdTimers();
    const { asked, search, titles } = await openList(many, () => {
      throw new Error("The server can't.");
    });
    search("tea");
    await typingEnds();
    expect([titles(), asked.pages.length]).toEqual([teas(80), 5]);
  });

  test("follows deletions and changes of rows, wherever they were found", async () => {
    holdTimers();
    const rows = [...many];
    const { actor, search, titles } = await openList(rows);
    search("tea");
    await typingEnds();
    const changed = row(1_590, { title: "coffee" });
    rows.splice(400, 11, ...rows.slice(401, 410), changed);
    actor.send({ type: "transcriptions.removed", ids: ["t1600"] });
    actor.send({ type: "transcription.updated", transcription: changed });
    await settle();
    expect(["tea 1600", "tea 1590", "tea 1580"].map((title) => titles().includes(title))).toEqual([false, false, true]);
  });

  test("selecting all rows of the history loads all matching ones", async () => {
    holdTimers();
    const { found, search, filters, selected } = await openList(many);
    search("tea");
    await typingEnds();
    found.send({ type: "all.requested" });
    await settle();
    expect([selected.length, selected[0]?.length]).toEqual([1, 200]);
    filters.send({ type: "filters.cleared" });
    filters.send({ type: "status.changed", status: "failed" });
    await settle();
    found.send({ type: "all.requested" });
    await settle();
    expect([selected.length, selected[1]?.length]).toEqual([2, 200]);
  });

  test("continues on the page if the server can't go on", async () => {
    holdTimers();
    const { found, search, selected } = await openList(many, (request) => {
      if (request.limit > 50) throw new Error("The server can't go on.");
      return answerOf(many, request, request.search);
    });
    search("tea");
    await typingEnds();
    found.send({ type: "all.requested" });
    await settle();
    expect([selected.length, selected[0]?.length]).toEqual([1, 200]);
  });
});
