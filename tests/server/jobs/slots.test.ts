import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Claimant, Slots } from "#server/threads/slots.ts";

/** Runs what is asked for with one slot, and returns the order in which it had it. */
async function orderOf(...asked: [name: string, claimant: Claimant][]): Promise<string[]> {
  const slots = new Slots(1);
  const order: string[] = [];
  const { signal } = new AbortController();
  const work = (name: string) => async () => {
    order.push(name);
    await setImmediate();
  };
  await Promise.all(asked.map(([name, claimant]) => slots.run(signal, work(name), claimant)));
  return order;
}

test("slots go round among people, and in order for each of them", async () => {
  const [ann, bob] = [{ person: "ann" }, { person: "bob" }];
  const order = await orderOf(["a1", ann], ["a2", ann], ["a3", ann], ["a4", ann], ["b1", bob], ["b2", bob]);
  expect(order).toEqual(["a1", "b1", "a2", "b2", "a3", "a4"]);
});

test("what is urgent has the next slot, whoever waits", async () => {
  const ann = { person: "ann" };
  const order = await orderOf(["a1", ann], ["b1", { person: "bob" }], ["a2", { ...ann, isUrgent: true }]);
  expect(order).toEqual(["a1", "a2", "b1"]);
});

test("a wait that is aborted keeps nobody from a slot", async () => {
  const slots = new Slots(1);
  const [stop, stay] = [new AbortController(), new AbortController()];
  const order: number[] = [];
  const run = (number: number, { signal }: AbortController) =>
    slots.run(signal, async () => void order.push(number), { person: "ann" });
  const runs = [run(1, stay), run(2, stop), run(3, stay)];
  stop.abort(new Error("stopped"));
  const results = await Promise.allSettled(runs);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(order).toEqual([1, 3]);
});
