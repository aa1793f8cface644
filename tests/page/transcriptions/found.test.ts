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

/** What a server with these rows answers: with the rows of a page that have the text in their titles. */
function answerOf(rows: readonly TranscriptionSummary[], { page, limit }: PageRequest, search = ""): PageAnswer {
  const found = rows.filter(({ title }) => title.toLowerCase().includes(search));
  const pagination = { page, limit, total: found.length, totalPages: Math.ceil(found.length / limit) };
  return { data: found.slice((page - 1) * limit, page * limit), pagination };
}

/** The first page of a list of these rows, loaded. @param searched what the server finds; default: by titles */
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

/** The time after the last letter in which more may be typed, and what follows it. */
async function typingEnds(): Promise<void> {
  await vi.advanceTimersByTimeAsync(300);
  await settle();
}

/** What is asked because of an answer is answered, too. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await tick();
}

test("everything is found as long as nothing is searched", async () => {
  const { titles } = await setUp(["tea", "milk"]);
  expect(titles()).toEqual(["tea", "milk"]);
});

test("a longer term narrows, a shorter one widens, another one begins anew", async () => {
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

test("a file that can't be read is none of them, searched or not", async () => {
  const { actor, search, titles } = await setUp(["tea", "milk"]);
  const failed = row(9, { title: "tea.mp3", status: "failed", error: { message: "no", code: "notAudio" } });
  actor.send({ type: "transcription.updated", transcription: failed });
  await tick();
  expect(titles()).toEqual(["tea", "milk"]);
  search("tea");
  await tick();
  expect(titles()).toEqual(["tea"]);
});

test("what is filed as it is wanted is found, in more pages as well, together with what is searched", async () => {
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

test("rows that come and go are found and not found any more", async () => {
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

test("a filter that changes is not answered with what another one left", async () => {
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

test("what was asked for first does not come after what was asked for last", async () => {
  const { search, titles } = await setUp(["tea", "milk"]);
  search("tea");
  search("");
  await tick();
  expect(titles()).toEqual(["tea", "milk"]);
});

test("what stands behind the beginning of a long text is found by the server", async () => {
  holdTimers();
  const rows = [row(3, { title: "tea", shortened: true }), row(2, { title: "milk" }), row(1, { title: "long", shortened: true })];
  // An answer about a text that has been corrected meanwhile, too: "milk" is here whole.
  const { asked, filters, titles } = await openList(rows, (request) => answerOf(rows.slice(1), request));
  filters.send({ type: "search.changed", term: "t" });
  filters.send({ type: "search.changed", term: " Tea" });
  await tick();
  expect(titles()).toEqual(["tea"]);
  await typingEnds();
  // What is here whole is searched here alone.
  expect(titles()).toEqual(["tea", "long"]);
  expect(asked.searches).toEqual([{ search: "tea", page: 1, limit: 50 }]);
  filters.send({ type: "status.changed", status: "failed" });
  await tick();
  expect(titles()).toEqual([]);
  filters.send({ type: "filters.cleared" });
  await tick();
  expect(titles()).toEqual(["tea", "milk", "long"]);
});

/** Every tenth is about tea, and has failed. */
const many = Array.from({ length: 2_000 }, (_, index) => {
  const number = 2_000 - index;
  return row(number, number % 10 === 0 ? { title: `tea ${number}`, status: "failed" } : { title: `milk ${number}` });
});
const teas = (count: number) => Array.from({ length: count }, (_, index) => `tea ${2_000 - index * 10}`);

describe("of a long history no more is fetched than can be seen", () => {
  test("a search asks the server for the rows that match, page by page", async () => {
    holdTimers();
    const { actor, asked, found, search, titles } = await openList(many);
    search("tea");
    await tick();
    // What is here is found at once.
    expect([titles(), selectOutline(found.getSnapshot())]).toEqual([teas(2), { total: 2, isMore: true, isSearching: true }]);
    await typingEnds();
    // The server has counted them.
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
    // What the server had found is looked through until it answers.
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

  test("a filter looks through the next pages, which grow, until there is enough to see", async () => {
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

  test("a date range looks no further than its beginning", async () => {
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

  test("a file that can't be read is none of what the server finds", async () => {
    holdTimers();
    const error = { message: "no", code: "notAudio" } as const;
    const rows = many.map((one) => (one.title === "tea 1600" ? { ...one, error } : one));
    const { found, search, titles } = await openList(rows);
    search("tea");
    await typingEnds();
    expect([titles().includes("tea 1600"), titles().length, selectOutline(found.getSnapshot()).total]).toEqual([false, 99, 199]);
  });

  test("a server that can't search leaves it to the page", async () => {
    holdTimers();
    const { asked, search, titles } = await openList(many, () => {
      throw new Error("The server can't.");
    });
    search("tea");
    await typingEnds();
    expect([titles(), asked.pages.length]).toEqual([teas(80), 5]);
  });

  test("a row that is deleted or changed is what it is, wherever it was found", async () => {
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

  test("all that match are fetched when all are to be selected", async () => {
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

  test("a server that can't go on leaves the rest to the page, also of what is to be selected", async () => {
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
