import { describe, expect, test } from "vitest";
import {
  selectError,
  selectIsLoading,
  selectIsLoadingMore,
  selectIsLoadingRest,
  selectIsNarrowed,
  selectIsSettled,
  selectLast,
  selectSort,
  selectTotal,
} from "#machines/transcriptions/selectors.ts";
import { row } from "#tests/machines/harness.ts";
import { loaded, serverWith, setUp } from "./harness.ts";

type Page = ReturnType<typeof setUp>;
const order = (sort: "newest" | "title") => ({ type: "order.changed", sort }) as const;

/** The list in each state, and how many pages were asked for until then. */
const states: Record<string, () => Promise<[Page, number]>> = {
  loading: async () => {
    const list = setUp();
    list.request();
    return [list, 1];
  },
  settled: async () => [await loaded(), 1],
  loadingMore: async () => {
    const list = await loaded();
    list.send({ type: "more.requested" });
    return [list, 2];
  },
  loadingRest: async () => {
    const list = await loaded();
    list.send({ type: "all.requested" });
    return [list, 2];
  },
  failed: async () => {
    const list = setUp();
    list.request();
    await list.pages.last().reject("network");
    return [list, 1];
  },
};

describe.each(Object.entries(states))("history while it is %s", (name, reach) => {
  test("aborts its request and reloads an outdated list", async () => {
    const [list, asked] = await reach();
    const { signal } = list.pages.last();
    list.send({ type: "list.outdated" });
    expect([list.state(), list.pages.asked.length, list.pages.last().input]).toMatchObject(["loading", asked + 1, { page: 1 }]);
    expect(signal.aborted).toBe(name.startsWith("loading"));
  });

  test("ignores the current order, and reloads the rows for another", async () => {
    const [list, asked] = await reach();
    list.send(order("newest"));
    expect([list.state(), list.pages.asked.length]).toEqual([name, asked]);
    list.send(order("title"));
    expect([list.state(), list.ids(), list.get(selectSort)]).toEqual(["loading", [], "title"]);
    expect([list.pages.asked.length, list.pages.last().input]).toEqual([asked + 1, { page: 1, limit: 20, sort: "title" }]);
  });

  test("shows whether the history is loading, loaded or failed", async () => {
    const [list] = await reach();
    expect({
      loading: list.get(selectIsLoading),
      more: list.get(selectIsLoadingMore),
      rest: list.get(selectIsLoadingRest),
      settled: list.get(selectIsSettled),
      error: list.get(selectError),
    }).toEqual({
      loading: name.startsWith("loading"),
      more: name === "loadingMore",
      rest: name === "loadingRest",
      settled: name === "settled",
      error: name === "failed" ? "network" : null,
    });
  });
});

test("the history accepts an order before it is requested", () => {
  const list = setUp();
  list.send(order("title"));
  expect(list.pages.asked).toHaveLength(0);
  list.request();
  expect(list.pages.inputs()).toEqual([{ page: 1, limit: 20, sort: "title" }]);
});

test("sorts a complete list, and reloads one that lacks a row", async () => {
  for (const [count, asked] of [
    [20, 1],
    [21, 2],
  ] as const) {
    const list = await loaded(serverWith(count));
    list.send(order("title"));
    expect([list.pages.asked.length, list.ids().length]).toEqual([asked, asked === 1 ? 20 : 0]);
  }
});

test("the history starts another order without the old cursor", async () => {
  const list = setUp();
  list.request();
  const answer = list.server.page({ page: 1, limit: 20 });
  await list.pages.last().resolve({ ...answer, next: "c" });
  list.send(order("title"));
  await list.pages.last().resolve(answer);
  list.send({ type: "more.requested" });
  expect(list.pages.last().input).toEqual({ page: 2, limit: 20, sort: "title" });
});

test("the history knows the last row of its last page", async () => {
  const list = await loaded();
  expect(list.get(selectLast)?.id).toBe("t26");
  list.send({ type: "more.requested" });
  await list.answer();
  expect([list.get(selectLast)?.id, list.get(({ context }) => context.pagination.page)]).toEqual(["t6", 2]);
  list.send({ type: "more.requested" });
  await list.pages.last().resolve({ data: [], pagination: { page: 3, limit: 20, total: 45, totalPages: 3 } });
  expect([list.get(selectLast)?.id, list.get(selectTotal)]).toEqual(["t6", 40]);
});

test("narrows the history by folder or favorites like by other filters", async () => {
  const list = await loaded();
  const filed = () => list.get(({ children }) => children.filedFilters);
  filed()?.send({ type: "favourites.toggled" });
  expect(list.get(selectIsNarrowed)).toBe(true);
  list.send({ type: "more.requested" });
  expect(list.pages.last().input).toEqual({ page: 1, limit: 100 });
  filed()?.send({ type: "favourites.toggled" });
  expect(list.get(selectIsNarrowed)).toBe(false);
});

test("tells the server's search about changed and deleted rows", async () => {
  const list = await loaded();
  const heard: string[] = [];
  const search = list.get(({ children }) => children.search);
  const send = search?.send.bind(search);
  if (search === undefined || send === undefined) throw new Error("There is a search.");
  const subscription = search.subscribe(({ context }) => heard.push(`${context.rows.length}`));
  list.send({ type: "transcription.updated", transcription: row(45) });
  list.send({ type: "transcriptions.removed", ids: ["t45"] });
  subscription.unsubscribe();
  expect(heard).toEqual(["0", "0"]);
});

test("keeps the state of rows that were removed and returned during a request", async () => {
  const list = setUp();
  list.request();
  const answer = list.server.page({ page: 1, limit: 20 });
  list.send({ type: "transcriptions.removed", ids: ["t45", "t44"] });
  list.send({ type: "transcriptions.returned", transcriptions: [row(44), row(50)] });
  await list.pages.last().resolve(answer);
  expect(list.ids().slice(0, 3)).toEqual(["t50", "t44", "t43"]);
});
