import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { selectSelected } from "#machines/transcriptions/selection.ts";
import {
  selectConfirming,
  selectError,
  selectHasMore,
  selectIsChanging,
  selectIsListed,
  selectIsLoading,
  selectIsLoadingMore,
  selectItems,
  selectTotal,
  type TrashEmitted,
  type TrashOutcome,
  type TrashPage,
  type TrashWish,
  trashMachine,
} from "#machines/transcriptions/trash.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";
import { trashItem } from "./harness.ts";

const until = "2026-03-01T12:00:00.000Z";
const done = (ids: readonly string[]): TrashOutcome => ({ done: ids, count: ids.length, failed: 0, code: null });

function setUp() {
  const pages = answering<TrashPage, { after: string | null }>();
  const changes = answering<TrashOutcome, TrashWish>();
  const machine = trashMachine.provide({ actors: { fetchPage: pages.logic, change: changes.logic } });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: TrashEmitted[] = [];
  for (const type of ["trash.changed", "change.failed"] as const) actor.on(type, (event) => emitted.push(event));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { pages, changes, emitted, send: actor.send.bind(actor), get, ids: () => get(selectItems).map(({ id }) => id), actor };
}

/** Shows `count` things of `total`. */
async function listed(count: number, total = count) {
  const trash = setUp();
  trash.send({ type: "list.requested" });
  const data = Array.from({ length: count }, (_, index) => trashItem(index + 1));
  await trash.pages.last().resolve({ data, total, next: total > count ? "more" : null, until });
  return trash;
}

describe("list of the trash", () => {
  test("loads the trash page by page", async () => {
    const trash = setUp();
    trash.send({ type: "list.requested" });
    expect([trash.get(selectIsLoading), trash.get(selectIsListed)]).toEqual([true, false]);
    await trash.pages.last().resolve({ data: [trashItem(1), trashItem(2)], total: 3, next: "2", until });
    expect([trash.ids(), trash.get(selectTotal), trash.get(selectHasMore)]).toEqual([["t1", "t2"], 3, true]);
    trash.send({ type: "more.requested" });
    expect(trash.get(selectIsLoadingMore)).toBe(true);
    // Rows that moved on to this page are there once.
    await trash.pages.last().resolve({ data: [trashItem(2), trashItem(3)], total: 3, next: null, until });
    expect([trash.ids(), trash.get(selectHasMore)]).toEqual([["t1", "t2", "t3"], false]);
    expect(trash.pages.inputs()).toEqual([{ after: null }, { after: "2" }]);
  });

  test("shows why it could not be loaded, and retries", async () => {
    const trash = setUp();
    trash.send({ type: "list.requested" });
    await trash.pages.last().reject("network");
    expect(trash.get(selectError)).toBe("network");
    trash.send({ type: "list.requested" });
    await trash.pages.last().resolve({ data: [], total: 0, next: null, until });
    expect([trash.get(selectError), trash.get(selectIsListed)]).toEqual([null, true]);
  });
});

describe("restoring from the trash", () => {
  test("removes restored rows from list and selection", async () => {
    const trash = await listed(3);
    const { selection } = trash.actor.getSnapshot().children;
    selection?.send({ type: "all.requested", ids: trash.ids() });
    trash.send({ type: "restoring.requested", ids: ["t1", "t2"] });
    expect([trash.get(selectIsChanging), trash.changes.inputs()]).toEqual([true, [{ type: "restore", ids: ["t1", "t2"] }]]);
    await trash.changes.last().resolve(done(["t1", "t2"]));
    expect([trash.ids(), trash.get(selectTotal), trash.emitted]).toEqual([
      ["t3"],
      1,
      [{ type: "trash.changed", wish: "restore", count: 2 }],
    ]);
    expect(selection && [...selectSelected(selection.getSnapshot())]).toEqual(["t3"]);
  });

  test("emits how many are gone for good, and restores the others", async () => {
    const trash = await listed(2);
    trash.send({ type: "restoring.requested", ids: ["t1", "t2"] });
    await trash.changes.last().resolve({ done: ["t1"], count: 1, failed: 1, code: "gone" });
    expect([trash.ids(), trash.emitted]).toEqual([["t2"], [{ type: "change.failed", wish: "restore", count: 1, code: "gone" }]]);
  });

  test("the trash shows the same items after a failed request", async () => {
    const trash = await listed(2);
    trash.send({ type: "restoring.requested", ids: ["t1"] });
    await trash.changes.last().reject("network");
    expect([trash.ids(), trash.emitted]).toEqual([
      ["t1", "t2"],
      [{ type: "change.failed", wish: "restore", count: 1, code: "network" }],
    ]);
  });
});

describe("erasing from the trash", () => {
  test("asks for confirmation before it erases items of the trash", async () => {
    const trash = await listed(2);
    trash.send({ type: "erasure.requested", ids: ["t1"] });
    expect([trash.get(selectConfirming), trash.changes.asked]).toEqual([{ type: "erase", ids: ["t1"] }, []]);
    trash.send({ type: "erasure.cancelled" });
    expect([trash.get(selectConfirming), trash.changes.asked]).toEqual([null, []]);
    trash.send({ type: "erasure.requested", ids: ["t1"] });
    trash.send({ type: "erasure.confirmed" });
    await trash.changes.last().resolve(done(["t1"]));
    expect([trash.ids(), trash.emitted]).toEqual([["t2"], [{ type: "trash.changed", wish: "erase", count: 1 }]]);
  });

  test("erases everything up to its loading, and looks for more", async () => {
    const trash = await listed(2, 5);
    trash.send({ type: "emptying.requested" });
    expect(trash.get(selectConfirming)).toEqual({ type: "empty", until });
    trash.send({ type: "erasure.confirmed" });
    await trash.changes.last().resolve({ done: null, count: 5, failed: 0, code: null });
    expect([trash.get(selectIsLoading), trash.emitted]).toEqual([true, [{ type: "trash.changed", wish: "empty", count: 5 }]]);
    await trash.pages.last().resolve({ data: [], total: 0, next: null, until });
    expect([trash.get(selectIsListed), trash.get(selectTotal)]).toEqual([true, 0]);
  });

  test("emits a failure to erase everything", async () => {
    const trash = await listed(2, 5);
    trash.send({ type: "emptying.requested" });
    trash.send({ type: "erasure.confirmed" });
    await trash.changes.last().reject("internal");
    expect(trash.emitted).toEqual([{ type: "change.failed", wish: "empty", count: 5, code: "internal" }]);
  });
});
