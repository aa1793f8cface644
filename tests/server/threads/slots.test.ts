import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { inRotation, type QueueRules, queues } from "#server/threads/queues.ts";
import { type Claimant, Slots } from "#server/threads/slots.ts";

const endless = new AbortController().signal;
const [ann, bob, cid] = [{ person: "ann" }, { person: "bob" }, { person: "cid" }];

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A task that lasts until it is ended. */
function begin(slots: Slots, claimant: Claimant) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const task = { hasBegun: false, end: resolve, done: Promise.resolve() };
  const work = () => {
    task.hasBegun = true;
    return promise;
  };
  task.done = slots.run(endless, work, claimant);
  // Whoever is refused is looked at by the tests that expect it.
  task.done.catch(() => undefined);
  return task;
}

const all: [string, QueueRules][] = [
  ...Object.entries(queues),
  ["one process", inRotation(1)],
  ["a job's pieces", inRotation(3)],
];

describe.each(all)("the queue of %s", (_, rules) => {
  const { places, ofOne, waiting } = rules;
  const flood = (slots: Slots, claimant: Claimant = ann) =>
    Array.from({ length: places + Math.min(waiting, 100) }, () => begin(slots, claimant));
  const begun = (tasks: readonly { hasBegun: boolean }[]) => tasks.filter(({ hasBegun }) => hasBegun);

  test("a person who floods a queue delays another person by one task at most", async () => {
    const slots = new Slots(rules);
    const [first] = flood(slots);
    const other = begin(slots, bob);
    await setImmediate();
    if (ofOne < places) expect(other.hasBegun).toBe(true);
    first?.end();
    await setImmediate();
    expect(other.hasBegun).toBe(true);
  });

  test("a queue refuses whoever has too many waiting tasks, and nobody else", async () => {
    const slots = new Slots(rules);
    const tasks = [...flood(slots), ...flood(slots)];
    const other = begin(slots, bob);
    if (Number.isFinite(waiting)) await expect(tasks.at(-1)?.done).rejects.toMatchObject({ code: "tooManyAtOnce" });
    for (const task of [...tasks, other]) task.end();
    await expect(other.done).resolves.toBeUndefined();
  });

  test("a queue runs as many short tasks of one person as its rules allow", async () => {
    const slots = new Slots(rules);
    const tasks = flood(slots, { ...ann, isShort: true });
    await setImmediate();
    expect(begun(tasks)).toHaveLength(ofOne);
  });
});

test("long tasks of many people leave a thread for short tasks, even of a person with a long one", async () => {
  const slots = new Slots(queues.threads);
  const long = [ann, bob, cid, { person: "dan" }, { person: "eve" }].map((one) => begin(slots, one));
  const short = begin(slots, { ...ann, isShort: true });
  await setImmediate();
  expect(long.filter(({ hasBegun }) => hasBegun)).toHaveLength(queues.threads.places - 1);
  expect(short.hasBegun).toBe(true);
});

/** Runs what is asked for with one slot, and returns the order in which it had it. */
async function orderOf(...asked: [name: string, claimant: Claimant][]): Promise<string[]> {
  const slots = new Slots(inRotation(1));
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(name);
    await setImmediate();
  };
  await Promise.all(asked.map(([name, claimant]) => slots.run(endless, work(name), claimant)));
  return order;
}

test("slots go round among people, and in order for each of them", async () => {
  const order = await orderOf(["a1", ann], ["a2", ann], ["a3", ann], ["a4", ann], ["b1", bob], ["b2", bob]);
  expect(order).toEqual(["a1", "b1", "a2", "b2", "a3", "a4"]);
});

test("somebody who asks for little waits for one task of many who ask for much, and however long they have waited", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const slots = new Slots(inRotation(1));
  const order: string[] = [];
  const take = (person: string, ms: number) =>
    slots.run(endless, () => delay(ms).then(() => void order.push(person)), { person });
  const much = ["ann", "bob", "cid"].flatMap((person) => Array.from({ length: 9 }, () => take(person, 10_000)));
  await vi.advanceTimersByTimeAsync(30_000);
  const done = Array.from({ length: 3 }, () => take("dan", 20));
  await vi.advanceTimersByTimeAsync(10_060);
  await Promise.all(done);
  expect(order).toEqual(["ann", "bob", "cid", "ann", "dan", "dan", "dan"]);
  await vi.advanceTimersByTimeAsync(300_000);
  await Promise.all(much);
});

test("a patient task is refused by no queue", async () => {
  const slots = new Slots({ ...inRotation(1), waiting: 0 });
  const first = begin(slots, ann);
  await expect(begin(slots, ann).done).rejects.toMatchObject({ code: "tooManyAtOnce" });
  const patient = begin(slots, { ...ann, isPatient: true });
  first.end();
  await setImmediate();
  expect(patient.hasBegun).toBe(true);
});

test("an urgent task has the next slot, whoever waits", async () => {
  const order = await orderOf(["a1", ann], ["b1", bob], ["a2", { ...ann, isUrgent: true }]);
  expect(order).toEqual(["a1", "a2", "b1"]);
});

test("an aborted wait ends at once, and keeps nobody from a slot", async () => {
  const slots = new Slots({ ...inRotation(1), waiting: 1 });
  const first = begin(slots, ann);
  const stop = new AbortController();
  const waiting = slots.run(stop.signal, async () => undefined, ann);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  const next = begin(slots, ann);
  first.end();
  await first.done;
  await setImmediate();
  expect(next.hasBegun).toBe(true);
});

test("a task that is aborted at the moment of its turn does not begin, and its slot goes to the next", async () => {
  const slots = new Slots(inRotation(1));
  const stop = new AbortController();
  const gate = Promise.withResolvers<void>();
  let hasBegun = false;
  void slots.run(endless, () => gate.promise, ann);
  const aborted = slots.run(stop.signal, async () => (hasBegun = true), bob);
  const next = begin(slots, cid);
  // This runs after the slot is given to Bob's task, and before that task begins.
  void gate.promise.then(() => stop.abort(new Error("stopped")));
  gate.resolve();
  await expect(aborted).rejects.toThrow("stopped");
  await setImmediate();
  expect([hasBegun, next.hasBegun]).toEqual([false, true]);
});

test("a task that takes too long is told to end", async () => {
  const slots = new Slots({ ...inRotation(1), timeoutMs: 1 });
  const late = slots.run(
    endless,
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ann,
  );
  await expect(late).rejects.toMatchObject({ code: "tooLarge" });
});
