import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import type { PageAnswer } from "#machines/transcriptions/rules.ts";
import {
  type SearchRequest,
  selectFormer,
  selectFoundTotal,
  selectHasMore,
  selectIsAsking,
  selectIsResponsible,
  selectMayGoOn,
  selectRows,
  selectTerm,
  selectTermSort,
  selectWantsRest,
  serverSearchMachine,
} from "#machines/transcriptions/server-search.ts";
import { answering, row, stopsAfterTest } from "#tests/machines/harness.ts";

const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => row(from - at));
const page = (data: readonly TranscriptionSummary[], total: number, next: string | null = null): PageAnswer => ({
  data,
  pagination: { page: 1, limit: 50, total, totalPages: 1 },
  next,
});

function setUp() {
  const clock = new SimulatedClock();
  const search = answering<PageAnswer, SearchRequest>();
  const machine = serverSearchMachine.provide({ actors: { search: search.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return {
    clock,
    search,
    get,
    send: actor.send.bind(actor),
    type: (term: string, sort: "newest" | "title" = "newest") => actor.send({ type: "term.changed", term, sort }),
    ids: () => get(selectRows).map(({ id }) => id),
    state: () => [get(selectIsAsking), get(selectIsResponsible), get(selectMayGoOn), get(selectHasMore)],
  };
}

/** The server has found the first rows of `total`. */
async function found(count: number, total = count, next: string | null = null) {
  const harness = setUp();
  harness.type("tea");
  harness.clock.increment(300);
  await harness.search.last().resolve(page(rows(1000, count), total, next));
  return harness;
}

describe("search on the server", () => {
  test("the server's search begins 300 ms after the last letter, and takes over with its first answer", async () => {
    const { type, clock, search, state, get, ids } = setUp();
    expect([state(), get(selectTerm)]).toEqual([[false, false, false, false], ""]);
    type("te");
    clock.increment(299);
    type("tea");
    clock.increment(299);
    expect([search.inputs(), state()]).toEqual([[], [true, true, false, false]]);
    clock.increment(1);
    expect(search.inputs()).toEqual([{ search: "tea", page: 1, limit: 50 }]);
    await search.last().resolve(page([row(2), row(1)], 2));
    expect([ids(), state(), get(selectFoundTotal)]).toEqual([["t2", "t1"], [false, true, false, false], 2]);
  });

  test("the server's search ends when the term is cleared", async () => {
    const { type, clock, ids, state, search, get } = await found(2, 5);
    type("");
    clock.increment(1000);
    expect([ids(), state(), search.asked.length, get(selectFoundTotal)]).toEqual([[], [false, false, false, false], 1, 0]);
  });

  test("leaves the search to the page after a failure, until the next letter", async () => {
    const { type, clock, search, state } = setUp();
    type("tea");
    clock.increment(300);
    await search.last().reject("network");
    expect(state()).toEqual([false, false, false, false]);
    type("teas");
    expect(state()).toEqual([true, true, false, false]);
  });

  test("searches in the list's order, and drops hits of another order", async () => {
    const { type, clock, search, get, ids } = await found(2);
    type("tea", "title");
    expect([get(selectTermSort), get(selectFormer), ids()]).toEqual(["title", [], []]);
    clock.increment(300);
    expect(search.last().input).toEqual({ search: "tea", page: 1, limit: 50, sort: "title" });
    await search.last().resolve(page([row(1, { title: "b" }), row(2, { title: "a" })], 2));
    expect(ids()).toEqual(["t1", "t2"]);
  });
});

describe("hits of the previous term", () => {
  test("hits of the previous term stay until the first answer, over several letters", async () => {
    const { type, clock, search, get } = await found(2);
    type("teas");
    type("teaso");
    expect(get(selectFormer).map(({ id }) => id)).toEqual(["t1000", "t999"]);
    clock.increment(300);
    await search.last().resolve(page([], 0));
    expect([get(selectFormer), get(selectRows)]).toEqual([[], []]);
  });

  test("hits of the previous term change and disappear with their rows", async () => {
    const { type, send, get, ids } = await found(3, 9);
    send({ type: "transcription.updated", transcription: row(999, { title: "x" }) });
    send({ type: "transcription.updated", transcription: row(5) });
    send({ type: "transcriptions.removed", ids: ["t1000", "t5"] });
    expect([ids(), get(selectRows)[0]?.title, get(selectFoundTotal)]).toEqual([["t999", "t998"], "x", 8]);
    const known = get(selectRows);
    send({ type: "transcriptions.removed", ids: ["t7"] });
    expect([get(selectRows) === known, get(selectFoundTotal)]).toEqual([true, 8]);
    type("teas");
    send({ type: "transcriptions.removed", ids: ["t999"] });
    send({ type: "transcription.updated", transcription: row(998, { title: "y" }) });
    expect(get(selectFormer)).toEqual([row(998, { title: "y" })]);
  });
});

describe("next page of hits", () => {
  test("the next page of hits is as large as the list, from 50 to 500 rows, and uses the server's cursor", async () => {
    const { send, search, get, state } = await found(50, 2000, "c");
    expect(state()).toEqual([false, true, true, true]);
    send({ type: "more.requested" });
    expect([search.last().input, state()]).toEqual([
      { search: "tea", page: 2, limit: 50, after: "c" },
      [false, true, false, true],
    ]);
    await search.last().resolve(page(rows(950, 50), 2000));
    send({ type: "more.requested" });
    expect(search.last().input).toEqual({ search: "tea", page: 2, limit: 100 });
    await search.last().resolve(page(rows(900, 450), 2000));
    send({ type: "more.requested" });
    expect(search.last().input).toEqual({ search: "tea", page: 2, limit: 500 });
    expect(get(selectRows)).toHaveLength(550);
  });

  test("the next page of hits is not loaded when all hits are here", async () => {
    const { send, search, state } = await found(3);
    send({ type: "more.requested" });
    expect([search.asked.length, state()]).toEqual([1, [false, true, false, false]]);
  });

  test("the next page of hits is the last if it brings nothing new, whatever the server counts", async () => {
    const none = await found(3, 9);
    none.send({ type: "more.requested" });
    await none.search.last().resolve(page(rows(1000, 3), 9));
    expect([none.get(selectFoundTotal), none.state()]).toEqual([3, [false, true, false, false]]);
    const more = await found(3, 4);
    more.send({ type: "more.requested" });
    await more.search.last().resolve(page(rows(997, 3), 4));
    expect(more.get(selectFoundTotal)).toBe(6);
  });

  test("the server's search keeps its hits when it fails", async () => {
    const { send, search, ids, state } = await found(3, 9);
    send({ type: "more.requested" });
    await search.last().reject("network");
    expect([ids().length, state()]).toEqual([3, [false, false, false, true]]);
  });
});

describe("all hits", () => {
  test("all hits are loaded in pages of 500, until the term changes", async () => {
    const { send, search, get, type, state } = await found(50, 600);
    send({ type: "rest.requested" });
    expect([get(selectWantsRest), search.inputs().at(-1)]).toEqual([true, { search: "tea", page: 1, limit: 500 }]);
    await search.last().resolve(page(rows(950, 500), 600));
    expect(search.inputs().at(-1)).toEqual({ search: "tea", page: 2, limit: 500 });
    await search.last().resolve(page(rows(450, 50), 600));
    expect([search.asked.length, get(selectRows).length, state()]).toEqual([3, 600, [false, true, false, false]]);
    type("teas");
    expect(get(selectWantsRest)).toBe(false);
  });

  test("all hits are loaded with a first page of 500 if requested before", () => {
    const { send, search, type, clock } = setUp();
    type("tea");
    send({ type: "rest.requested" });
    clock.increment(300);
    expect(search.last().input).toEqual({ search: "tea", page: 1, limit: 500 });
  });
});
