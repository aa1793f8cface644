import { expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { DeviceModelEvent, StoredModel } from "#machines/device-models/events.ts";
import { deviceModelMachine } from "#machines/device-models/machine.ts";
import { idleMs } from "#machines/device-models/rules.ts";
import {
  selectFailure,
  selectIsOnDevice,
  selectIsTooSlow,
  selectMayListen,
  selectPhase,
  selectWasReplaced,
} from "#machines/device-models/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function start() {
  const clock = new SimulatedClock();
  const calls = {
    check: answering<StoredModel>(),
    fetch: answering<void>(),
    verify: answering<void>(),
    discard: answering<void>(),
    awaitOther: answering<void>(),
  };
  const [worker, otherTabs, wakeUps] = [
    talking<DeviceModelEvent, DeviceModelEvent>(),
    talking<DeviceModelEvent, DeviceModelEvent>(),
    talking<DeviceModelEvent, DeviceModelEvent>(),
  ];
  const acted: string[] = [];
  const { check, fetch, verify, discard, awaitOther } = calls;
  const machine = deviceModelMachine.provide({
    actors: {
      check: check.logic,
      fetch: fetch.logic,
      verify: verify.logic,
      discard: discard.logic,
      awaitOther: awaitOther.logic,
      worker: worker.logic,
      otherTabs: otherTabs.logic,
      wakeUps: wakeUps.logic,
    },
    actions: { askForPersistence: () => acted.push("asked"), tellOtherTabs: () => acted.push("told") },
  });
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  const send = (type: Exclude<DeviceModelEvent["type"], "worker.failed">) => actor.send({ type });
  const phase = () => selectPhase(actor.getSnapshot());
  return { actor, clock, ...calls, worker, otherTabs, wakeUps, acted, send, phase };
}

async function startOnDevice() {
  const harness = start();
  await harness.check.last().resolve({ kept: "whole", wasReplaced: false });
  return harness;
}

test("asks the browser for persistent storage on download, and tells other tabs when the model is complete", async () => {
  const { check, fetch, verify, acted, send, phase } = start();
  await check.last().resolve({ kept: "nothing", wasReplaced: false });
  expect(acted).toEqual([]);
  send("download.requested");
  expect(acted).toEqual(["asked"]);
  await fetch.last().resolve();
  expect([phase(), acted]).toEqual(["verifying", ["asked"]]);
  await verify.last().resolve();
  expect([phase(), acted]).toEqual(["ready", ["asked", "told"]]);
});

test("offers a newer version until it is downloaded", async () => {
  const { actor, check, send } = start();
  await check.last().resolve({ kept: "nothing", wasReplaced: true });
  expect(selectWasReplaced(actor.getSnapshot())).toBe(true);
  send("download.requested");
  expect(selectWasReplaced(actor.getSnapshot())).toBe(false);
});

test("pauses a download, and continues it when the network is back", async () => {
  const { check, fetch, wakeUps, send, phase } = start();
  await check.last().resolve({ kept: "part", wasReplaced: false });
  expect(phase()).toBe("paused");
  send("resume.requested");
  await fetch.last().reject("network");
  expect(phase()).toBe("waiting");
  wakeUps.say({ type: "page.resumed" });
  expect(phase()).toBe("fetching");
  send("pause.requested");
  expect([phase(), fetch.last().signal.aborted]).toEqual(["paused", true]);
});

test("ends the worker five minutes after the last use", async () => {
  const { actor, check, clock, worker, send, phase } = await startOnDevice();
  send("use.begun");
  send("use.begun");
  worker.say({ type: "worker.loaded" });
  send("use.ended");
  clock.increment(idleMs * 2);
  expect([phase(), actor.getSnapshot().context.uses]).toEqual(["running", 1]);
  send("use.ended");
  clock.increment(idleMs - 1);
  expect([phase(), worker.isRunning()]).toEqual(["idle", true]);
  clock.increment(1);
  expect([phase(), worker.isRunning()]).toEqual(["checking", false]);
  await check.last().resolve({ kept: "whole", wasReplaced: false });
  expect(phase()).toBe("ready");
});

test("keeps a model that another tab deletes in memory while it is in use", async () => {
  const { check, worker, otherTabs, send, phase } = await startOnDevice();
  send("use.begun");
  worker.say({ type: "worker.loaded" });
  otherTabs.say({ type: "storage.changed" });
  expect(phase()).toBe("running");
  send("use.ended");
  otherTabs.say({ type: "storage.changed" });
  expect([phase(), worker.isRunning()]).toEqual(["checking", false]);
  await check.last().resolve({ kept: "nothing", wasReplaced: false });
  expect(phase()).toBe("absent");
});

test("offers no live words on a slow device until the model is downloaded again", async () => {
  const { actor, check, discard, fetch, verify, worker, send } = await startOnDevice();
  const offers = () => [selectIsTooSlow, selectMayListen, selectIsOnDevice].map((select) => select(actor.getSnapshot()));
  expect(offers()).toEqual([false, true, true]);
  send("use.begun");
  worker.say({ type: "worker.loaded" });
  send("slowness.noted");
  expect(offers()).toEqual([true, false, true]);
  send("delete.requested");
  await discard.last().resolve();
  send("download.requested");
  await fetch.last().resolve();
  await verify.last().resolve();
  expect(offers()).toEqual([false, true, true]);
  expect(check.asked).toHaveLength(1);
});

test("deletes a damaged model and offers it again", async () => {
  const { actor, discard, worker, send, phase, acted } = await startOnDevice();
  send("use.begun");
  worker.say({ type: "worker.failed", code: "damaged" });
  await discard.last().resolve();
  expect([phase(), selectFailure(actor.getSnapshot()), acted]).toEqual(["failed", "damaged", ["told"]]);
  send("retry.requested");
  expect(phase()).toBe("fetching");
});

test("waits for another tab's download and takes over its result", async () => {
  const { check, awaitOther, otherTabs, phase } = start();
  await check.last().resolve({ kept: "elsewhere", wasReplaced: false });
  expect(phase()).toBe("elsewhere");
  await awaitOther.last().resolve();
  await check.last().resolve({ kept: "whole", wasReplaced: false });
  expect(phase()).toBe("ready");
  // The other tab deletes it.
  otherTabs.say({ type: "storage.changed" });
  await check.last().resolve({ kept: "nothing", wasReplaced: false });
  expect(phase()).toBe("absent");
});
