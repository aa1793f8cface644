import { expect, onTestFinished, test } from "vitest";
import { createActor, fromPromise, SimulatedClock } from "xstate";
import { type Deed, deskMachine, selectAskedDeed, selectDeeds, selectDeskFailure } from "#machines/admin/row-actions.ts";

function start({ looks = false } = {}) {
  const clock = new SimulatedClock();
  const asked: { deed: Deed | undefined; answer(): void; refuse(code: string): void }[] = [];
  const machine = deskMachine.provide({
    actors: {
      perform: fromPromise<void, { deed: Deed | undefined }>(({ input: { deed } }) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        asked.push({ deed, answer: resolve, refuse: (code) => reject(Object.assign(new Error(code), { code })) });
        return promise;
      }),
    },
    delays: { untilNextLook: () => 5_000 },
  });
  const actor = createActor(machine, { clock, input: { asksFirst: ["delete"], looks } });
  const told: string[] = [];
  actor.on("done", ({ deed }) => told.push(`${deed.action} ${deed.id}`));
  actor.on("look.due", () => told.push("look"));
  actor.start();
  onTestFinished(() => void actor.stop());
  const want = (action: string, id: string) => actor.send({ type: "deed.requested", deed: { action, id } });
  return { actor, asked, told, clock, want };
}

test("what is wanted is done one after the other, however quickly it is asked for", async () => {
  const { actor, asked, told, want } = start();
  want("done", "1");
  want("done", "2");
  expect(asked.map(({ deed }) => deed?.id)).toEqual(["1"]);
  expect(selectDeeds(actor.getSnapshot())).toHaveLength(2);
  asked[0]?.answer();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer();
  await expect.poll(() => told).toEqual(["done 1", "done 2"]);
});

test("what can't be taken back is asked about first, in its turn", async () => {
  const { actor, asked, told, want } = start();
  want("done", "1");
  want("delete", "2");
  expect(selectAskedDeed(actor.getSnapshot())).toBeNull();
  asked[0]?.answer();
  await expect.poll(() => selectAskedDeed(actor.getSnapshot())?.id).toBe("2");
  actor.send({ type: "deed.dismissed" });
  want("delete", "3");
  actor.send({ type: "deed.confirmed" });
  expect(asked.map(({ deed }) => deed?.id)).toEqual(["1", "3"]);
  asked[1]?.answer();
  await expect.poll(() => told).toEqual(["done 1", "delete 3"]);
});

test("why something could not be done stands there until the next try", async () => {
  const { actor, asked, told, want } = start();
  want("retry", "1");
  asked[0]?.refuse("gone");
  await expect.poll(() => selectDeskFailure(actor.getSnapshot())).toBe("gone");
  expect(told).toEqual([]);
  want("retry", "1");
  expect(selectDeskFailure(actor.getSnapshot())).toBeNull();
});

test("a list that changes by itself is looked at again and again, another never", () => {
  const [live, still] = [start({ looks: true }), start()];
  for (const { clock } of [live, still]) for (let times = 0; times < 3; times++) clock.increment(5_000);
  expect(live.told).toEqual(["look", "look", "look"]);
  expect(still.told).toEqual([]);
});
