import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { SearchAnswer } from "#contract/index.ts";
import { type SearchRequest, searchMachine } from "#machines/search/machine.ts";
import { emptyFields } from "#machines/search/rules.ts";
import {
  selectBehind,
  selectFailure,
  selectHasMorePages,
  selectHits,
  selectIsFound,
  selectIsNothing,
  selectIsOpenEnded,
  selectIsPartial,
  selectIsSearching,
  selectTotal,
  selectWanted,
} from "#machines/search/selectors.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";
import { answerOf, hit } from "./harness.ts";

function setUp() {
  const search = answering<SearchAnswer, SearchRequest>();
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(searchMachine.provide({ actors: { search: search.logic } }), { clock }));
  const settled: string[] = [];
  actor.on("wanted.settled", ({ wanted }) => settled.push(wanted.query));
  actor.start();
  return {
    search,
    clock,
    settled,
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
    texts: () => selectHits(actor.getSnapshot()).map(({ text }) => text),
  };
}

/** A search for "plan" that has found something. */
async function found(answer: SearchAnswer) {
  const harness = setUp();
  harness.send({ type: "query.changed", query: "plan" });
  harness.clock.increment(400);
  await harness.search.last().resolve(answer);
  return harness;
}

describe("search in all transcripts", () => {
  test("searches when the person pauses typing, and shows the hits", async () => {
    const { send, clock, search, settled, get, texts } = setUp();
    send({ type: "query.changed", query: "pl" });
    clock.increment(399);
    send({ type: "query.changed", query: "plan" });
    clock.increment(399);
    expect([search.inputs(), get(selectIsSearching)]).toEqual([[], true]);
    clock.increment(1);
    expect(search.inputs()).toEqual([{ wanted: { ...emptyFields, query: "plan" }, page: 1 }]);
    expect(settled).toEqual(["plan"]);
    await search.last().resolve(answerOf([hit("the plan")], { total: 1, matched: "any", behind: 2 }));
    expect([texts(), get(selectTotal), get(selectIsFound), get(selectIsPartial), get(selectBehind)]).toEqual([
      ["the plan"],
      1,
      true,
      true,
      2,
    ]);
  });

  test("searches at once on request, but not without a query", () => {
    const { send, search, get } = setUp();
    send({ type: "search.requested" });
    send({ type: "query.changed", query: "  " });
    send({ type: "search.requested" });
    expect([search.inputs(), get(selectIsSearching)]).toEqual([[], false]);
    send({ type: "query.changed", query: "plan" });
    send({ type: "search.requested" });
    expect(search.inputs()).toHaveLength(1);
  });

  test("keeps the hits while the query changes, and clears them with it", async () => {
    const { send, texts, get } = await found(answerOf([hit("the plan")]));
    send({ type: "query.changed", query: "plans" });
    expect([texts(), get(selectIsSearching)]).toEqual([["the plan"], true]);
    send({ type: "query.changed", query: "" });
    expect([texts(), get(selectIsSearching), get(selectWanted).query]).toEqual([[], false, ""]);
    expect([get(selectTotal), get(selectBehind), get(selectIsOpenEnded)]).toEqual([0, 0, false]);
  });

  test("finds nothing or fails, and searches again on request", async () => {
    const { send, search, get } = await found(answerOf([], { behind: 1 }));
    expect([get(selectIsNothing), get(selectBehind)]).toEqual([true, 1]);
    send({ type: "search.requested" });
    await search.last().reject("network");
    expect([get(selectIsNothing), get(selectFailure), get(selectBehind)]).toEqual([false, "network", 0]);
    send({ type: "search.requested" });
    await search.last().resolve(answerOf([hit("the plan")]));
    expect([get(selectFailure), get(selectIsFound)]).toEqual([null, true]);
  });

  test("applies a filter at once to a query, and remembers it without one", () => {
    const { send, search, get } = setUp();
    send({ type: "filters.changed", filters: { language: "de", from: "2026-03-01" } });
    expect(search.inputs()).toEqual([]);
    send({ type: "query.changed", query: "plan" });
    send({ type: "filters.changed", filters: { from: "" } });
    const wanted = { query: "plan", language: "de", from: "", to: "" };
    expect([get(selectWanted), search.inputs()]).toEqual([wanted, [{ wanted, page: 1 }]]);
  });
});

describe("next page of hits", () => {
  const page = (from: number) => Array.from({ length: 20 }, (_, at) => hit(`hit ${from + at}`));

  test("adds the next page without duplicates until all hits are loaded", async () => {
    const { send, search, texts, get } = await found(answerOf(page(0), { total: 40 }));
    expect(get(selectHasMorePages)).toBe(true);
    send({ type: "more.requested" });
    expect(search.inputs().at(-1)?.page).toBe(2);
    await search.last().resolve(answerOf(page(19), { total: 39 }));
    expect([texts().length, get(selectHasMorePages)]).toEqual([39, false]);
    send({ type: "more.requested" });
    expect(search.inputs()).toHaveLength(2);
  });

  test("keeps the hits when the next page fails, and loads it on retry", async () => {
    const { send, search, texts, get } = await found(answerOf(page(0), { total: 40 }));
    send({ type: "more.requested" });
    await search.last().reject("network");
    expect([texts().length, get(selectFailure), get(selectIsFound)]).toEqual([20, "network", true]);
    send({ type: "more.requested" });
    await search.last().resolve(answerOf(page(20), { total: 40 }));
    expect([texts().length, get(selectFailure)]).toEqual([40, null]);
  });

  test("offers another page for a 21st hit, but not when the total fills the pages exactly", async () => {
    const { send, search, texts, get } = await found(answerOf(page(0), { total: 20 }));
    send({ type: "more.requested" });
    expect([get(selectHasMorePages), search.inputs().length]).toEqual([false, 1]);
    const longer = await found(answerOf(page(0), { total: 61 }));
    for (const from of [20, 40]) {
      longer.send({ type: "more.requested" });
      await longer.search.last().resolve(answerOf(page(from), { total: 61 }));
    }
    expect(longer.search.inputs().map(({ page: number }) => number)).toEqual([1, 2, 3]);
    expect([longer.texts().length, texts().length, longer.get(selectHasMorePages)]).toEqual([60, 20, true]);
  });
});

describe("partial matches of a search", () => {
  test("marks hits as partial only while they are shown and no passage has every word", async () => {
    const whole = await found(answerOf([hit("the plan")], { matched: "all" }));
    expect(whole.get(selectIsPartial)).toBe(false);
    const { get, send } = await found(answerOf([hit("the plan")], { matched: "any", hasMore: true }));
    expect([get(selectIsPartial), get(selectIsOpenEnded)]).toEqual([true, true]);
    send({ type: "query.changed", query: "plans" });
    expect([get(selectIsPartial), get(selectIsFound), get(selectHasMorePages)]).toEqual([false, false, false]);
  });
});

describe("address of a search", () => {
  const wanted = { ...emptyFields, query: "plan" };

  test("searches for the address, but not again for the current search", async () => {
    const { send, search } = setUp();
    send({ type: "address.opened", wanted });
    await search.last().resolve(answerOf([hit("the plan")]));
    send({ type: "address.opened", wanted });
    expect(search.inputs()).toHaveLength(1);
    send({ type: "address.opened", wanted: { ...wanted, language: "de" } });
    expect(search.inputs()).toHaveLength(2);
  });

  test.each([{ query: "plans" }, { language: "de" }, { from: "2026-03-01" }, { to: "2026-03-02" }])(
    "starts a new search when the address differs only in %o",
    async (change) => {
      const { send, search } = await found(answerOf([hit("the plan")]));
      send({ type: "address.opened", wanted: { ...wanted, ...change } });
      expect(search.inputs().at(-1)).toEqual({ wanted: { ...wanted, ...change }, page: 1 });
      expect(search.inputs()).toHaveLength(2);
    },
  );

  test("keeps a typed trailing space when the address of the search opens", () => {
    const { send, search, get } = setUp();
    send({ type: "query.changed", query: "plan " });
    send({ type: "search.requested" });
    send({ type: "address.opened", wanted });
    expect([search.inputs().length, get(selectWanted).query]).toEqual([1, "plan "]);
  });

  test("an address without a query starts no search", async () => {
    const { send, search, texts, get } = await found(answerOf([hit("the plan")]));
    send({ type: "address.opened", wanted: { ...emptyFields, language: "de" } });
    expect([search.inputs().length, texts(), get(selectWanted)]).toEqual([1, [], { ...emptyFields, language: "de" }]);
  });
});
