import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { inRotation, type QueueRules, queues } from "#server/threads/queues.ts";
import { type Claimant, Slots } from "#server/threads/slots.ts";

const endless = new AbortController().signal;
const [ann, bob, cid] = [{ person: "ann" }, { person: "bob" }, { person: "cid" }];

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A task that lasts until the test ends it. */
function begin(slots: Slots, claimant: Claimant) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const task = { hasBegun: false, end: resolve, done: Promise.resolve() };
  const work = () => {
    task.hasBegun = true;
    return promise;
  };
  task.done = slots.run(endless, work, claimant);
  // Tests that expect a refusal check `done` themselves.
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

  test("delays another user by one task at most when one user floods the queue", async () => {
    const slots = new Slots(rules);
    const [first] = flood(slots);
    const other = begin(slots, bob);
    await setImmediate();
    if (ofOne < places) expect(other.hasBegun).toBe(true);
    first?.end();
    await setImmediate();
    expect(other.hasBegun).toBe(true);
  });

  test("refuses tasks of a user with too many waiting tasks, but nobody else's", async () => {
    const slots = new Slots(rules);
    const tasks = [...flood(slots), ...flood(slots)];
    const other = begin(slots, bob);
    if (Number.isFinite(waiting)) await expect(tasks.at(-1)?.done).rejects.toMatchObject({ code: "tooManyAtOnce" });
    for (const task of [...tasks, other]) task.end();
    await expect(other.done).resolves.toBeUndefined();
  });

  test("runs as many short tasks of one user as the queue's rules allow", async () => {
    const slots = new Slots(rules);
    const tasks = flood(slots, { ...ann, isShort: true });
    await setImmediate();
    expect(begun(tasks)).toHaveLength(ofOne);
  });
});

test("keeps a thread free for short tasks while long tasks of many users run", async () => {
  const slots = new Slots(queues.threads);
  const long = [ann, bob, cid, { person: "dan" }, { person: "eve" }].map((one) => begin(slots, one));
  const short = begin(slots, { ...ann, isShort: true });
  await setImmediate();
  expect(long.filter(({ hasBegun }) => hasBegun)).toHaveLength(queues.threads.places - 1);
  expect(short.hasBegun).toBe(true);
});

/** Runs the requests with one slot and returns the order in which they ran. */
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

test("alternates slots between users and keeps each user's order", async () => {
  const order = await orderOf(["a1", ann], ["a2", ann], ["a3", ann], ["a4", ann], ["b1", bob], ["b2", bob]);
  expect(order).toEqual(["a1", "b1", "a2", "b2", "a3", "a4"]);
});

test("lets a user with short tasks wait for only one of the long tasks of others", async () => {
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

test("never refuses a task that may wait without a limit", async () => {
  const slots = new Slots({ ...inRotation(1), waiting: 0 });
  const first = begin(slots, ann);
  await expect(begin(slots, ann).done).rejects.toMatchObject({ code: "tooManyAtOnce" });
  const patient = begin(slots, { ...ann, isPatient: true });
  first.end();
  await setImmediate();
  expect(patient.hasBegun).toBe(true);
});

test("gives an urgent task the next slot", async () => {
  const order = await orderOf(["a1", ann], ["b1", bob], ["a2", { ...ann, isUrgent: true }]);
  expect(order).toEqual(["a1", "a2", "b1"]);
});

test("ends an aborted wait at once and frees its place in the queue", async () => {
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

test("skips a task that is aborted at its turn and gives the slot to the next", async () => {
  const slots = new Slots(inRotation(1));
  const stop = new AbortController();
  const gate = Promise.withResolvers<void>();
  let hasBegun = false;
  void slots.run(endless, () => gate.promise, ann);
  const aborted = slots.run(stop.signal, async () => (hasBegun = true), bob);
  const next = begin(slots, cid);
  // Runs after Bob's task gets the slot and before the task begins.
  void gate.promise.then(() => stop.abort(new Error("stopped")));
  gate.resolve();
  await expect(aborted).rejects.toThrow("stopped");
  await setImmediate();
  expect([hasBegun, next.hasBegun]).toEqual([false, true]);
});

test("aborts a task that takes too long", async () => {
  const slots = new Slots({ ...inRotation(1), timeoutMs: 1 });
  const late = slots.run(
    endless,
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    ann,
  );
  await expect(late).rejects.toMatchObject({ code: "tooLarge" });
});
