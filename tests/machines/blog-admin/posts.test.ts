import { expect, test, vi } from "vitest";
import { createActor, fromPromise } from "xstate";
import type { BlogList, BulkKind, PostsQuery } from "#contract/index.ts";
import {
  postsAdminMachine,
  selectAction,
  selectIsConfirming,
  selectIsLoading,
  selectIsWorking,
  selectList,
  selectLoadError,
  selectOutcome,
  selectQuery,
  selectSelected,
  selectWaiting,
} from "#machines/blog-admin/posts.ts";
import { until } from "#tests/fixtures/until.ts";
import { summary } from "./posts.ts";

const query: PostsQuery = { page: 1, search: "", status: "all", topic: "", language: "", generated: "all" };
const posts = Array.from({ length: 25 }, (_, index) => summary(String(index)));
const listOf = (page: number): BlogList => ({
  posts: posts.slice((page - 1) * 20, page * 20),
  total: posts.length,
  page,
  totalPages: 2,
  facets: undefined,
});

function open() {
  const load = vi.fn(async ({ page }: PostsQuery) => listOf(page));
  const act = vi.fn(async ({ ids }: { action: BulkKind; ids: readonly string[] }) => ids);
  const actor = createActor(
    postsAdminMachine.provide({
      actors: {
        load: fromPromise(({ input }: { input: PostsQuery }) => load(input)),
        act: fromPromise(({ input }: { input: { action: BulkKind; ids: readonly string[] } }) => act(input)),
      },
    }),
    { input: { query } },
  ).start();
  const loaded = () => until(() => expect(selectList(actor.getSnapshot())).not.toBeNull());
  const over = () => until(() => expect(selectIsWorking(actor.getSnapshot())).toBe(false));
  return { actor, load, act, loaded, over };
}

test("keeps the selection across pages", async () => {
  const { actor, loaded } = open();
  await loaded();
  actor.send({ type: "page.selected", on: true });
  actor.send({ type: "query.changed", query: { ...query, page: 2 } });
  await until(() => expect(selectList(actor.getSnapshot())?.page).toBe(2));
  actor.send({ type: "page.selected", on: true });
  expect(selectSelected(actor.getSnapshot())).toHaveLength(25);
  actor.send({ type: "selection.toggled", post: summary("3") });
  actor.send({ type: "page.selected", on: false });
  expect(selectSelected(actor.getSnapshot())).toHaveLength(19);
  actor.stop();
});

test("runs an action on many posts in portions, and keeps failed posts selected for a retry", async () => {
  const { actor, act, loaded, over } = open();
  await loaded();
  actor.send({ type: "page.selected", on: true });
  act
    .mockImplementationOnce(async ({ ids }) => ids.slice(1))
    .mockRejectedValueOnce(Object.assign(new Error("no"), { code: "internal" }));
  actor.send({ type: "action.requested", action: "publish", posts: selectSelected(actor.getSnapshot()) });
  // Another page in the meantime aborts nothing.
  actor.send({ type: "query.changed", query: { ...query, page: 2 } });
  expect(selectIsWorking(actor.getSnapshot())).toBe(true);
  await over();
  const outcome = selectOutcome(actor.getSnapshot());
  expect([outcome?.done.length, outcome?.missing.length, outcome?.failed.length, outcome?.code]).toEqual([9, 1, 10, "internal"]);
  expect(selectSelected(actor.getSnapshot())).toHaveLength(10);
  actor.send({ type: "outcome.retried" });
  await over();
  expect(selectOutcome(actor.getSnapshot())?.done).toHaveLength(10);
  expect(act.mock.calls.map(([{ ids }]) => ids.length)).toEqual([10, 10, 10]);
  actor.stop();
});

test("asks before a deletion, and leaves a page that no longer exists", async () => {
  const { actor, act, load, loaded, over } = open();
  await loaded();
  actor.send({ type: "action.requested", action: "delete", posts: [summary("24")] });
  actor.send({ type: "action.dismissed" });
  expect(act).not.toHaveBeenCalled();
  actor.send({ type: "action.requested", action: "delete", posts: [summary("24")] });
  actor.send({ type: "action.confirmed" });
  await over();
  load.mockResolvedValueOnce({ ...listOf(2), posts: [], totalPages: 1 });
  actor.send({ type: "query.changed", query: { ...query, page: 2 } });
  await until(() => expect(selectQuery(actor.getSnapshot()).page).toBe(1));
  actor.stop();
});

test("shows why a list could not be loaded, and keeps the previous one", async () => {
  const { actor, load, loaded } = open();
  await loaded();
  load.mockRejectedValueOnce(Object.assign(new Error("no"), { code: "network" }));
  actor.send({ type: "refresh.requested" });
  await until(() => expect(selectLoadError(actor.getSnapshot())).toBe("network"));
  expect(selectList(actor.getSnapshot())?.posts).toHaveLength(20);
  actor.stop();
});

test("ignores an action without selection, confirms a deletion, and dismisses the result", async () => {
  const { actor, act, loaded, over } = open();
  await loaded();
  actor.send({ type: "action.requested", action: "publish", posts: [] });
  actor.send({ type: "action.requested", action: "delete", posts: [] });
  actor.send({ type: "outcome.retried" });
  expect([selectIsConfirming(actor.getSnapshot()), selectIsWorking(actor.getSnapshot()), act.mock.calls.length]).toEqual([
    false,
    false,
    0,
  ]);
  actor.send({ type: "action.requested", action: "delete", posts: [summary("1"), summary("2")] });
  expect([
    selectIsConfirming(actor.getSnapshot()),
    selectAction(actor.getSnapshot()),
    selectWaiting(actor.getSnapshot()).length,
  ]).toEqual([true, "delete", 2]);
  actor.send({ type: "action.dismissed" });
  expect([selectIsConfirming(actor.getSnapshot()), selectWaiting(actor.getSnapshot())]).toEqual([false, []]);
  const done: number[] = [];
  actor.on("action.done", ({ outcome }) => done.push(outcome.done.length));
  actor.send({ type: "action.requested", action: "delete", posts: [summary("1"), summary("2")] });
  actor.send({ type: "action.confirmed" });
  await over();
  expect(act).toHaveBeenCalledExactlyOnceWith({ action: "delete", ids: ["1", "2"] });
  expect([done, selectOutcome(actor.getSnapshot())?.code]).toEqual([[2], null]);
  actor.send({ type: "outcome.retried" });
  actor.send({ type: "outcome.dismissed" });
  expect([selectOutcome(actor.getSnapshot()), act.mock.calls.length]).toEqual([null, 1]);
  actor.stop();
});

test("shows an empty first page without results, and clears the selection at once", async () => {
  const { actor, load, loaded } = open();
  await loaded();
  actor.send({ type: "selection.toggled", post: summary("1") });
  actor.send({ type: "selection.toggled", post: summary("2") });
  actor.send({ type: "selection.toggled", post: summary("1") });
  expect(selectSelected(actor.getSnapshot()).map(({ id }) => id)).toEqual(["2"]);
  actor.send({ type: "selection.cleared" });
  expect(selectSelected(actor.getSnapshot())).toEqual([]);
  for (const [page, total] of [
    [1, 25],
    [2, 0],
  ] as const) {
    load.mockResolvedValueOnce({ ...listOf(1), posts: [], total });
    actor.send({ type: "query.changed", query: { ...query, page } });
    expect(selectIsLoading(actor.getSnapshot())).toBe(true);
    await until(() => expect(selectIsLoading(actor.getSnapshot())).toBe(false));
    expect([selectQuery(actor.getSnapshot()).page, selectList(actor.getSnapshot())?.posts]).toEqual([page, []]);
  }
  actor.stop();
});
