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

describe("loading of the history", () => {
  test("the history loads nothing before it is requested", () => {
    const list = setUp();
    expect([list.state(), list.pages.asked.length, list.get(selectIsLoading)]).toEqual(["waiting", 0, true]);
  });

  // SPEC 9: "Transcription page size"
  test("loads the twenty newest transcriptions first", async () => {
    const list = await loaded();
    expect(list.pages.inputs()).toEqual([{ page: 1, limit: 20 }]);
    expect(list.ids()).toEqual(names(45, 26));
    expect([list.get(selectTotal), list.get(selectHasMore), list.get(selectIsLoading)]).toEqual([45, true, false]);
  });

  test("the history loads more pages until the end", async () => {
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

  test("shows rows only once when newer rows move them to the next page", async () => {
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

  test("the history has no gap after rows were deleted", async () => {
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

  test("does not show a row that was deleted while its page was loading", async () => {
    const list = await loaded();
    list.server.add(row(46));
    list.updates.say({ type: "transcription.updated", transcription: row(46) });
    list.send({ type: "more.requested" });
    list.send({ type: "transcriptions.removed", ids: ["t26"] });
    await list.answer();
    expect(list.ids()).not.toContain("t26");
    expect(list.ids()).toHaveLength(39);
  });

  test("applies updates that arrive while the first page is loading", async () => {
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

  test("does not apply old updates to a later answer", async () => {
    const list = await loaded();
    list.send({ type: "transcriptions.removed", ids: ["t45"] });
    list.request(answeredAt + 60_000);
    await list.answer();
    expect(list.ids()[0]).toBe("t45");
  });

  test("ends the list at a page without new rows", async () => {
    const list = await loaded();
    list.server.rows.length = 20;
    list.send({ type: "more.requested" });
    await list.pages
      .last()
      .resolve({ ...list.server.page({ page: 2, limit: 20 }), pagination: list.get((s) => s.context.pagination) });
    expect([list.get(selectTotal), list.get(selectHasMore)]).toEqual([20, false]);
  });

  test("reloads a list that is a minute old, with as many rows as before", async () => {
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

  test("never loads more rows at once than the server allows", async () => {
    const list = await loaded(serverWith(1500));
    list.send({ type: "all.requested" });
    for (let page = 0; page < 3; page++) await list.answer();
    expect(list.ids()).toHaveLength(1500);
    list.request(answeredAt + 60_000);
    expect(list.pages.last().input).toEqual({ page: 1, limit: 1000 });
  });
});

describe("failed loading of the history", () => {
  test("the history shows why loading failed and retries on request", async () => {
    const list = setUp();
    list.request();
    await list.pages.last().reject("network");
    expect([list.state(), list.get(selectError), list.get(selectIsLoading)]).toEqual(["failed", "network", false]);
    list.request();
    expect([list.state(), list.get(selectError)]).toEqual(["loading", null]);
    await list.answer();
    expect([list.state(), list.get(selectError), list.ids().length]).toEqual(["settled", null, 20]);
  });

  test("keeps the rows when another page fails, and retries when more are requested", async () => {
    const list = await loaded();
    list.send({ type: "more.requested" });
    await list.pages.last().reject("internal");
    expect([list.state(), list.ids().length]).toEqual(["failed", 20]);
    list.send({ type: "more.requested" });
    await list.answer();
    expect([list.state(), list.ids().length]).toEqual(["settled", 40]);
  });

  test("stops loading all rows after a failure until requested again", async () => {
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

describe("filtered history", () => {
  test.each<FiltersEvent>([
    { type: "search.changed", term: " tea " },
    { type: "language.changed", language: "de" },
    { type: "dateRange.changed", dateRange: "week" },
    { type: "status.changed", status: "failed" },
  ])("loads nothing at once for $type, and larger pages afterwards", async (event) => {
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
  test("loads all rows on request while filtered, and leaves the choice to the page", async () => {
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
  test("loads nothing for an empty search", async () => {
    const list = await loaded();
    list.narrow({ type: "search.changed", term: "   " });
    expect([list.state(), list.pages.asked.length, list.searchTerm()]).toEqual(["settled", 1, "   "]);
  });

  test("stops at a page without new rows, whatever the server counts", async () => {
    const list = await loaded();
    list.send({ type: "all.requested" });
    const { data, ...others } = list.server.page({ page: 1, limit: 500 });
    await list.pages.last().resolve({ ...others, data: data.slice(0, 20) });
    expect([list.state(), list.pages.asked.length, list.get(selectHasMore)]).toEqual(["settled", 2, false]);
  });

  test("loads another order from the server's cursor, and only sorts a complete list", async () => {
    const list = await loaded();
    list.send({ type: "order.changed", sort: "newest" });
    expect(list.pages.asked.length).toBe(1);
    list.send({ type: "order.changed", sort: "oldest" });
    expect([list.ids(), list.pages.last().input]).toEqual([[], { page: 1, limit: 20, sort: "oldest" }]);
    const rows = list.server.rows.toReversed();
    const pagination = { page: 1, limit: 20, total: 45, totalPages: 3 };
    await list.pages.last().resolve({ data: rows.slice(0, 20), pagination, next: "after t20" });
    expect(list.ids().slice(0, 2)).toEqual(["t1", "t2"]);
    // The new row comes last, with its page.
    list.updates.say({ type: "transcription.updated", transcription: row(99) });
    expect(list.ids()).toHaveLength(20);
    list.send({ type: "more.requested" });
    expect(list.pages.last().input).toEqual({ page: 2, limit: 20, sort: "oldest", after: "after t20" });
    await list.pages.last().resolve({ data: rows.slice(20), pagination, next: null });
    expect(list.ids().at(-1)).toBe("t45");
    list.send({ type: "order.changed", sort: "newest" });
    expect([list.ids()[0], list.state(), list.pages.asked.length]).toEqual(["t45", "settled", 3]);
  });

  test("selects all rows once all are loaded, and no more after a failure", async () => {
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

  test("does not count or select files that can't be read", async () => {
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

  test("loads normal pages again after the filter is cleared", async () => {
    const list = await loaded(serverWith(1100));
    list.narrow({ type: "search.changed", term: "x" });
    list.narrow({ type: "status.changed", status: "failed" });
    list.narrow({ type: "filters.cleared" });
    expect([list.searchTerm(), list.filters(), list.get(selectIsNarrowed)]).toEqual(["", noFilters, false]);
    list.send({ type: "more.requested" });
    await list.answer();
    expect([list.state(), list.pages.asked.length, list.ids().length]).toEqual(["settled", 2, 40]);
  });

  test("one filter of the history changes without the others", async () => {
    const list = await loaded();
    list.narrow({ type: "status.changed", status: "failed" });
    list.narrow({ type: "language.changed", language: "de" });
    expect(list.filters()).toEqual({ language: "de", dateRange: "all", status: "failed" });
  });
});

describe("single rows of the history", () => {
  // SPEC 4 Transcriptions: "Delete removes the item and clears the selection if it was the selected one."
  test("removes a deleted row at once, and clears its selection", async () => {
    const list = await loaded();
    list.send({ type: "selection.changed", id: "t44" });
    list.send({ type: "transcriptions.removed", ids: ["t45"] });
    expect([list.ids()[0], list.get(selectSelectedId), list.get(selectTotal)]).toEqual(["t44", "t44", 44]);
    list.send({ type: "transcriptions.removed", ids: ["t44"] });
    expect([list.ids()[0], list.get(selectSelectedId), list.get(selectTotal)]).toEqual(["t43", null, 43]);
  });

  test.each(["t45", "t40", "t26"])("returns %s to its place in the history", async (id) => {
    const list = await loaded();
    const transcription = list.get(selectItems).find((item) => item.id === id);
    if (transcription === undefined) throw new Error("not there");
    list.send({ type: "transcriptions.removed", ids: [id] });
    list.send({ type: "transcriptions.returned", transcriptions: [transcription] });
    expect([list.ids(), list.get(selectTotal)]).toEqual([names(45, 26), 45]);
  });

  test("sends commands to their actor, and emits a failure", async () => {
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
