import { describe, expect, test } from "vitest";
import type { FiltersEvent } from "#machines/transcriptions/filters.ts";
import { noFilters } from "#machines/transcriptions/rules.ts";
import {
  selectError,
  selectHasMore,
  selectIsLoading,
  selectIsLoadingMore,
  selectIsLoadingRest,
  selectIsNarrowed,
  selectItems,
  selectListed,
  selectListedTotal,
  selectSelectedId,
  selectTotal,
  selectUnreadable,
} from "#machines/transcriptions/selectors.ts";
import { row } from "#tests/machines/harness.ts";
import { answeredAt, loaded, serverWith, setUp } from "./harness.ts";

const names = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => `t${from - index}`);

describe("fetching", () => {
  test("nothing is asked for before somebody wants the list", () => {
    const list = setUp();
    expect([list.state(), list.pages.asked.length, list.get(selectIsLoading)]).toEqual(["waiting", 0, true]);
  });

  // SPEC 9: "Transcription page size"
  test("the first page is the twenty newest", async () => {
    const list = await loaded();
    expect(list.pages.inputs()).toEqual([{ page: 1, limit: 20 }]);
    expect(list.ids()).toEqual(names(45, 26));
    expect([list.get(selectTotal), list.get(selectHasMore), list.get(selectIsLoading)]).toEqual([45, true, false]);
  });

  test("more come page by page until there are no more", async () => {
    const list = await loaded();
    list.send({ type: "more.requested" });
    expect(list.get(selectIsLoadingMore)).toBe(true);
    await list.answer();
    list.send({ type: "more.requested" });
    await list.answer();
    expect(list.ids()).toEqual(names(45, 1));
    expect(list.get(selectHasMore)).toBe(false);
    list.send({ type: "more.requested" });
    expect([list.state(), list.pages.asked.length]).toEqual(["settled", 3]);
  });

  test("rows that came meanwhile push others onto the next page, which are not there twice", async () => {
    const list = await loaded();
    for (const minute of [46, 47, 48]) {
      list.server.add(row(minute));
      list.updates.say({ type: "transcription.updated", transcription: row(minute) });
    }
    expect(list.ids().slice(0, 4)).toEqual(names(48, 45));
    expect(list.get(selectTotal)).toBe(48);
    list.send({ type: "more.requested" });
    await list.answer();
    expect(list.ids()).toEqual(names(48, 9));
  });

  test("rows that went leave no gap", async () => {
    const list = await loaded();
    for (const id of ["t45", "t40"]) {
      list.server.drop(list.server.rows.findIndex((one) => one.id === id));
      list.updates.say({ type: "transcriptions.removed", ids: [id] });
    }
    expect(list.get(selectTotal)).toBe(43);
    for (let page = 0; page < 3; page++) {
      list.send({ type: "more.requested" });
      await list.answer();
    }
    expect(list.ids()).toEqual(names(45, 1).filter((id) => id !== "t45" && id !== "t40"));
    expect(list.get(selectHasMore)).toBe(false);
  });

  test("a row that goes while its page is on the way does not come back with it", async () => {
    const list = await loaded();
    list.server.add(row(46));
    list.updates.say({ type: "transcription.updated", transcription: row(46) });
    list.send({ type: "more.requested" });
    list.send({ type: "transcriptions.removed", ids: ["t26"] });
    await list.answer();
    expect(list.ids()).not.toContain("t26");
    expect(list.ids()).toHaveLength(39);
  });

  test("what is heard while the first page is on the way holds against it", async () => {
    const list = setUp();
    list.request();
    const answer = list.server.page({ page: 1, limit: 20 });
    list.updates.say({ type: "transcriptions.removed", ids: ["t45"] });
    list.updates.say({ type: "transcription.updated", transcription: row(44, { status: "failed" }) });
    list.updates.say({ type: "transcription.updated", transcription: row(46) });
    await list.pages.last().resolve(answer);
    expect(list.ids()).toEqual(["t46", ...names(44, 26)]);
    expect(list.get(selectItems)[1]?.status).toBe("failed");
  });

  test("updates from before do not hold against a later answer", async () => {
    const list = await loaded();
    list.send({ type: "transcriptions.removed", ids: ["t45"] });
    list.request(answeredAt + 60_000);
    await list.answer();
    expect(list.ids()[0]).toBe("t45");
  });

  test("a page without anything new says that there are no more", async () => {
    const list = await loaded();
    list.server.rows.length = 20;
    list.send({ type: "more.requested" });
    await list.pages
      .last()
      .resolve({ ...list.server.page({ page: 2, limit: 20 }), pagination: list.get((s) => s.context.pagination) });
    expect([list.get(selectTotal), list.get(selectHasMore)]).toEqual([20, false]);
  });

  test("coming back fetches anew only what is a minute old, and as many as there were", async () => {
    const list = await loaded();
    list.send({ type: "more.requested" });
    await list.answer();
    list.request(answeredAt + 59_999);
    expect(list.state()).toBe("settled");
    list.request(answeredAt + 60_000);
    expect(list.pages.last().input).toEqual({ page: 1, limit: 40 });
    expect(list.ids()).toHaveLength(40);
    await list.answer();
    expect(list.ids()).toEqual(names(45, 6));
  });

  test("never more at once than the server gives", async () => {
    const list = await loaded(serverWith(1500));
    list.send({ type: "all.requested" });
    for (let page = 0; page < 3; page++) await list.answer();
    expect(list.ids()).toHaveLength(1500);
    list.request(answeredAt + 60_000);
    expect(list.pages.last().input).toEqual({ page: 1, limit: 1000 });
  });
});

describe("a fetch that fails", () => {
  test("is shown with its reason and tried again on request", async () => {
    const list = setUp();
    list.request();
    await list.pages.last().reject("network");
    expect([list.state(), list.get(selectError), list.get(selectIsLoading)]).toEqual(["failed", "network", false]);
    list.request();
    expect([list.state(), list.get(selectError)]).toEqual(["loading", null]);
    await list.answer();
    expect([list.state(), list.get(selectError), list.ids().length]).toEqual(["settled", null, 20]);
  });

  test("of a further page leaves what was there, and is tried again with more", async () => {
    const list = await loaded();
    list.send({ type: "more.requested" });
    await list.pages.last().reject("internal");
    expect([list.state(), list.ids().length]).toEqual(["failed", 20]);
    list.send({ type: "more.requested" });
    await list.answer();
    expect([list.state(), list.ids().length]).toEqual(["settled", 40]);
  });

  test("of the rest stops the looking through until it is asked for again", async () => {
    const list = await loaded();
    list.send({ type: "all.requested" });
    await list.pages.last().reject("network");
    expect([list.state(), list.pages.asked.length]).toEqual(["failed", 2]);
    list.request();
    await list.answer();
    expect(list.state()).toBe("settled");
    list.send({ type: "all.requested" });
    await list.answer();
    expect([list.state(), list.ids().length]).toEqual(["settled", 45]);
  });
});

describe("narrowing", () => {
  test.each<FiltersEvent>([
    { type: "search.changed", term: " tea " },
    { type: "language.changed", language: "de" },
    { type: "dateRange.changed", dateRange: "week" },
    { type: "status.changed", status: "failed" },
  ])("$type fetches nothing by itself, and then in larger pages", async (event) => {
    const list = await loaded(serverWith(1100));
    list.narrow(event);
    expect([list.get(selectIsNarrowed), list.state(), list.pages.asked.length]).toEqual([true, "settled", 1]);
    for (let page = 0; page < 2; page++) {
      list.send({ type: "more.requested" });
      await list.answer();
    }
    expect(list.pages.inputs().slice(1)).toEqual([1, 2].map((page) => ({ page, limit: 100 })));
    expect(list.ids()).toEqual(names(1100, 901));
  });

  // SPEC 4 Transcriptions: "Filtering is done on the client"
  test("all that are wanted while it narrows are fetched, and left to the page to be chosen from", async () => {
    const list = await loaded(serverWith(1100));
    list.narrow({ type: "status.changed", status: "completed" });
    list.send({ type: "all.requested" });
    expect(list.get(selectIsLoadingRest)).toBe(true);
    for (let page = 0; page < 3; page++) await list.answer();
    expect(list.pages.inputs().slice(1)).toEqual([1, 2, 3].map((page) => ({ page, limit: 500 })));
    const selected = list.get((snapshot) => snapshot.children.selection?.getSnapshot().context.selected.size);
    expect([list.state(), list.ids().length, selected]).toEqual(["settled", 1100, 0]);
  });

  // SPEC 5: "is trimmed, and an empty search is ignored"
  test("an empty search fetches nothing", async () => {
    const list = await loaded();
    list.narrow({ type: "search.changed", term: "   " });
    expect([list.state(), list.pages.asked.length, list.searchTerm()]).toEqual(["settled", 1, "   "]);
  });

  test("the rest stops with a page that brings nothing new, whatever the server counts", async () => {
    const list = await loaded();
    list.send({ type: "all.requested" });
    const { data, ...others } = list.server.page({ page: 1, limit: 500 });
    await list.pages.last().resolve({ ...others, data: data.slice(0, 20) });
    expect([list.state(), list.pages.asked.length, list.get(selectHasMore)]).toEqual(["settled", 2, false]);
  });

  test("another order is asked for, from the server's cursor on; what is all here is only sorted", async () => {
    const list = await loaded();
    list.send({ type: "order.changed", sort: "newest" });
    expect(list.pages.asked.length).toBe(1);
    list.send({ type: "order.changed", sort: "oldest" });
    expect([list.ids(), list.pages.last().input]).toEqual([[], { page: 1, limit: 20, sort: "oldest" }]);
    const rows = list.server.rows.toReversed();
    const pagination = { page: 1, limit: 20, total: 45, totalPages: 3 };
    await list.pages.last().resolve({ data: rows.slice(0, 20), pagination, next: "after t20" });
    expect(list.ids().slice(0, 2)).toEqual(["t1", "t2"]);
    // What is new comes last, with its page.
    list.updates.say({ type: "transcription.updated", transcription: row(99) });
    expect(list.ids()).toHaveLength(20);
    list.send({ type: "more.requested" });
    expect(list.pages.last().input).toEqual({ page: 2, limit: 20, sort: "oldest", after: "after t20" });
    await list.pages.last().resolve({ data: rows.slice(20), pagination, next: null });
    expect(list.ids().at(-1)).toBe("t45");
    list.send({ type: "order.changed", sort: "newest" });
    expect([list.ids()[0], list.state(), list.pages.asked.length]).toEqual(["t45", "settled", 3]);
  });

  test("all are selected once all are here; when they can't be had, none more are", async () => {
    const list = await loaded();
    const selected = () => list.get((snapshot) => snapshot.children.selection?.getSnapshot().context.selected.size);
    list.send({ type: "all.requested" });
    expect([list.pages.last().input, selected()]).toEqual([{ page: 1, limit: 500 }, 0]);
    await list.pages.last().reject("network");
    list.send({ type: "list.requested" });
    await list.pages.last().resolve(list.server.page({ page: 1, limit: 20 }));
    expect([list.state(), selected()]).toEqual(["settled", 0]);
    list.send({ type: "all.requested" });
    await list.pages.last().resolve(list.server.page({ page: 1, limit: 500 }));
    expect([list.state(), selected()]).toEqual(["settled", 45]);
  });

  test("files that can't be read are no rows: they are not counted, and not selected with all", async () => {
    const list = await loaded(serverWith(3));
    const failed = row(9, { status: "failed", error: { message: "no", code: "notAudio" } });
    list.updates.say({ type: "transcription.updated", transcription: failed });
    expect(list.get(selectListed).map(({ id }) => id)).toEqual(names(3, 1));
    expect([list.get(selectUnreadable), list.get(selectListedTotal), list.get(selectTotal)]).toEqual([[failed], 3, 4]);
    list.send({ type: "all.requested" });
    const selected = list.get((snapshot) => snapshot.children.selection?.getSnapshot().context.selected);
    expect([...(selected ?? [])]).toEqual(names(3, 1));
    list.send({ type: "transcriptions.removed", ids: [failed.id] });
    expect([list.get(selectUnreadable), list.get(selectListedTotal), list.get(selectTotal)]).toEqual([[], 3, 3]);
  });

  test("taken back, more comes in pages as before", async () => {
    const list = await loaded(serverWith(1100));
    list.narrow({ type: "search.changed", term: "x" });
    list.narrow({ type: "status.changed", status: "failed" });
    list.narrow({ type: "filters.cleared" });
    expect([list.searchTerm(), list.filters(), list.get(selectIsNarrowed)]).toEqual(["", noFilters, false]);
    list.send({ type: "more.requested" });
    await list.answer();
    expect([list.state(), list.pages.asked.length, list.ids().length]).toEqual(["settled", 2, 40]);
  });

  test("one filter leaves the others as they are", async () => {
    const list = await loaded();
    list.narrow({ type: "status.changed", status: "failed" });
    list.narrow({ type: "language.changed", language: "de" });
    expect(list.filters()).toEqual({ language: "de", dateRange: "all", status: "failed" });
  });
});

describe("single rows", () => {
  // SPEC 4 Transcriptions: "Delete removes the item and clears the selection if it was the selected one."
  test("deleting removes at once, and clears the selection of that row only", async () => {
    const list = await loaded();
    list.send({ type: "selection.changed", id: "t44" });
    list.send({ type: "transcriptions.removed", ids: ["t45"] });
    expect([list.ids()[0], list.get(selectSelectedId), list.get(selectTotal)]).toEqual(["t44", "t44", 44]);
    list.send({ type: "transcriptions.removed", ids: ["t44"] });
    expect([list.ids()[0], list.get(selectSelectedId), list.get(selectTotal)]).toEqual(["t43", null, 43]);
  });

  test.each(["t45", "t40", "t26"])("%s comes back to its place", async (id) => {
    const list = await loaded();
    const transcription = list.get(selectItems).find((item) => item.id === id);
    if (transcription === undefined) throw new Error("not there");
    list.send({ type: "transcriptions.removed", ids: [id] });
    list.send({ type: "transcriptions.returned", transcriptions: [transcription] });
    expect([list.ids(), list.get(selectTotal)]).toEqual([names(45, 26), 45]);
  });

  test("commands go to the actor that runs them; a failure is emitted", async () => {
    const list = await loaded();
    list.send({ type: "retry.requested", id: "t40" });
    list.send({ type: "unsavedRetry.requested" });
    expect(list.commands.heard).toEqual([{ type: "retry.requested", id: "t40" }, { type: "save.requested" }]);
    list.commands.say({ type: "transcription.updated", transcription: row(40, { status: "processing" }) });
    expect(list.get(selectItems).find(({ id }) => id === "t40")?.status).toBe("processing");
    list.commands.say({ type: "command.failed", command: "save.requested", code: "network" });
    expect(list.emitted).toEqual([{ type: "command.failed", command: "save.requested", code: "network" }]);
    expect(list.state()).toBe("settled");
  });
});
