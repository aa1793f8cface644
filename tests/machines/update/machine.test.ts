import { describe, expect, test, vi } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { selectIsOffered, type UpdateEvent, updateMachine } from "#machines/update/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function start() {
  const take = answering<void>();
  const worker = talking<UpdateEvent, UpdateEvent>();
  const page = talking<UpdateEvent, UpdateEvent>();
  const reload = vi.fn();
  const clock = new SimulatedClock();
  const machine = updateMachine.provide({
    actors: { take: take.logic, worker: worker.logic, page: page.logic },
    actions: { reload },
  });
  const actor = stopsAfterTest(createActor(machine, { clock }));
  actor.start();
  return { actor, take, worker, page, reload, clock, isOffered: () => selectIsOffered(actor.getSnapshot()) };
}

describe("new version of the page", () => {
  test("the new version of the page is offered, activated on request, and only then loaded", async () => {
    const { actor, take, worker, reload, isOffered } = start();
    expect(isOffered()).toBe(false);
    worker.say({ type: "version.waiting" });
    expect([isOffered(), take.asked.length]).toEqual([true, 0]);
    actor.send({ type: "update.requested" });
    expect([isOffered(), reload.mock.calls.length]).toEqual([false, 0]);
    await take.last().resolve();
    expect(reload).toHaveBeenCalledOnce();
  });

  // PROMISE offline: The page opens without a network; a new version interrupts nothing
  test("an update of the page waits until nothing is recorded, sent or typed", () => {
    const { worker, page, isOffered } = start();
    page.say({ type: "page.held" });
    worker.say({ type: "version.waiting" });
    expect(isOffered()).toBe(false);
    page.say({ type: "page.released" });
    expect(isOffered()).toBe(true);
    page.say({ type: "page.held" });
    expect(isOffered()).toBe(false);
  });

  test("does not reload over a recording begun during its activation", async () => {
    const { actor, take, worker, page, reload, isOffered } = start();
    worker.say({ type: "version.waiting" });
    actor.send({ type: "update.requested" });
    page.say({ type: "page.held" });
    await take.last().resolve();
    expect([reload.mock.calls.length, isOffered()]).toEqual([0, false]);
    page.say({ type: "page.released" });
    actor.send({ type: "update.requested" });
    expect([reload.mock.calls.length, take.asked.length]).toEqual([1, 1]);
  });

  test("the new version of the page is only loaded here after another tab has activated it", () => {
    const { actor, take, worker, reload } = start();
    worker.say({ type: "version.taken" });
    actor.send({ type: "update.requested" });
    expect([reload.mock.calls.length, take.asked.length]).toEqual([1, 0]);
  });

  test.each([
    ["refuses", async ({ take }: ReturnType<typeof start>) => take.last().reject("internal")],
    ["does not answer", async ({ clock }: ReturnType<typeof start>) => clock.increment(5_000)],
  ] as const)("the new version of the page is loaded even if its worker %s, because the server has it", async (_, happen) => {
    const harness = start();
    harness.worker.say({ type: "version.waiting" });
    harness.actor.send({ type: "update.requested" });
    await happen(harness);
    expect(harness.reload).toHaveBeenCalledOnce();
  });

  test('the new version of the page is not offered again after "later" until there is a newer one', () => {
    const { actor, worker, isOffered } = start();
    worker.say({ type: "version.waiting" });
    actor.send({ type: "update.postponed" });
    expect(isOffered()).toBe(false);
    worker.say({ type: "version.waiting" });
    expect(isOffered()).toBe(true);
  });
});
