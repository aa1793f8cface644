import { expect, test } from "vitest";
import { createActor, fromCallback, fromPromise } from "xstate";
import { type UnfinishedUpload, uploadsMachine } from "#machines/uploads/machine.ts";
import { createInHistory, withoutListed } from "#src/features/uploads/in-history.ts";
import { isUnderWay } from "#src/features/uploads/is-under-way.ts";
import { row, stopsAfterTest } from "#tests/machines/harness.ts";
import { createUploadHarness, options, settle, summary } from "#tests/machines/uploads/harness.ts";

/** The page's uploads after adding files of these sizes (bytes). */
async function begin(...sizes: readonly number[]) {
  const harness = createUploadHarness();
  const idle = fromCallback(() => {});
  const recall = fromPromise<readonly UnfinishedUpload[], { userId: string }>(async () => []);
  const actor = createActor(uploadsMachine.provide({ actors: { upload: harness.machine, holdPage: idle, recall } }));
  stopsAfterTest(actor.start());
  const store = createInHistory(actor);
  const files = sizes.map((size, at) => ({ id: `u${at + 1}`, name: `${at + 1}.wav`, size }));
  actor.send({ type: "files.added", files, options, maxBytes: 5000 });
  for (const check of harness.checks) check.answer();
  await settle();
  const ids = () => ({
    underWay: store.get().underWay.map(({ id }) => id),
    unreadable: store.get().unreadable.map(({ id }) => id),
  });
  return { ...harness, actor, store, ids };
}

test("lists files during their upload, newest first, and unreadable ones separately", async () => {
  const { actor, transfers, ids } = await begin(10, 0, 20);
  expect(ids()).toEqual({ underWay: ["u3", "u1"], unreadable: ["u2"] });
  transfers[0]?.answer(summary());
  await settle();
  expect(ids()).toEqual({ underWay: ["u3"], unreadable: ["u2"] });
  actor.send({ type: "dismiss.requested", id: "u2" });
  expect(ids()).toEqual({ underWay: ["u3"], unreadable: [] });
});

test("the history does not change with an upload's progress", async () => {
  const { actor, store } = await begin(10);
  const before = store.get();
  const [upload] = before.underWay;
  upload?.send({ type: "pause.requested" });
  upload?.send({ type: "resume.requested" });
  expect(store.get()).toBe(before);
  expect(isUnderWay.get()).toBe(true);
  actor.send({ type: "dismiss.requested", id: "u1" });
  expect(store.get().underWay).toEqual([]);
  expect(isUnderWay.get()).toBe(false);
});

test("does not repeat a file that already has a row", async () => {
  const { store } = await begin(10, 20);
  const { underWay } = store.get();
  const transcriptions = new Map([["u1", "t7"]]);
  const idOf = (id: string) => transcriptions.get(id) ?? null;
  expect(withoutListed(underWay, [row(6)], idOf)).toEqual(underWay);
  expect(withoutListed(underWay, [row(7), row(6)], idOf).map(({ id }) => id)).toEqual(["u2"]);
});
