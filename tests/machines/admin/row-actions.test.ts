import { expect, onTestFinished, test } from "vitest";
import { createActor, fromPromise, SimulatedClock } from "xstate";
import {
  type RowAction,
  rowActionsMachine,
  selectAskedRowAction,
  selectRowActionFailure,
  selectRowActions,
} from "#machines/admin/row-actions.ts";

function start({ polls = false } = {}) {
  const clock = new SimulatedClock();
  const asked: { rowAction: RowAction | undefined; answer(): void; refuse(code: string): void }[] = [];
  const machine = rowActionsMachine.provide({
    actors: {
      perform: fromPromise<void, { rowAction: RowAction | undefined }>(({ input: { rowAction } }) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        asked.push({ rowAction, answer: resolve, refuse: (code) => reject(Object.assign(new Error(code), { code })) });
        return promise;
      }),
    },
    delays: { pollInterval: () => 5_000 },
  });
  const actor = createActor(machine, { clock, input: { asksFirst: ["delete"], polls } });
  const emitted: string[] = [];
  actor.on("rowAction.done", ({ rowAction }) => emitted.push(`${rowAction.action} ${rowAction.id}`));
  actor.on("poll.due", () => emitted.push("poll"));
  actor.start();
  onTestFinished(() => void actor.stop());
  const want = (action: string, id: string) => actor.send({ type: "rowAction.requested", rowAction: { action, id } });
  return { actor, asked, emitted, clock, want };
}

test("runs row actions one after another, however fast they are requested", async () => {
  const { actor, asked, emitted, want } = start();
  want("done", "1");
  want("done", "2");
  expect(asked.map(({ rowAction }) => rowAction?.id)).toEqual(["1"]);
  expect(selectRowActions(actor.getSnapshot())).toHaveLength(2);
  asked[0]?.answer();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer();
  await expect.poll(() => emitted).toEqual(["done 1", "done 2"]);
});

test("asks for confirmation of a destructive action when its turn comes", async () => {
  const { actor, asked, emitted, want } = start();
  want("done", "1");
  want("delete", "2");
  expect(selectAskedRowAction(actor.getSnapshot())).toBeNull();
  asked[0]?.answer();
  await expect.poll(() => selectAskedRowAction(actor.getSnapshot())?.id).toBe("2");
  actor.send({ type: "rowAction.dismissed" });
  want("delete", "3");
  actor.send({ type: "rowAction.confirmed" });
  expect(asked.map(({ rowAction }) => rowAction?.id)).toEqual(["1", "3"]);
  asked[1]?.answer();
  await expect.poll(() => emitted).toEqual(["done 1", "delete 3"]);
});

test("shows why an action failed until the next action", async () => {
  const { actor, asked, emitted, want } = start();
  want("retry", "1");
  asked[0]?.refuse("gone");
  await expect.poll(() => selectRowActionFailure(actor.getSnapshot())).toBe("gone");
  expect(emitted).toEqual([]);
  want("retry", "1");
  expect(selectRowActionFailure(actor.getSnapshot())).toBeNull();
});

test("polls a list that changes by itself, and no other list", () => {
  const [live, still] = [start({ polls: true }), start()];
  for (const { clock } of [live, still]) for (let times = 0; times < 3; times++) clock.increment(5_000);
  expect(live.emitted).toEqual(["poll", "poll", "poll"]);
  expect(still.emitted).toEqual([]);
});
