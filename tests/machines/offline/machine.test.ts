import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { type OfflineEvent, offlineMachine, selectIsAway } from "#machines/offline/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function start(isAway: boolean) {
  const ask = answering<void>();
  const network = talking<OfflineEvent, OfflineEvent>();
  const clock = new SimulatedClock();
  const machine = offlineMachine.provide({ actors: { ask: ask.logic, network: network.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const emitted: string[] = [];
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  if (isAway) network.say({ type: "server.missed" });
  return { actor, ask, network, clock, emitted, isAwayNow: () => selectIsAway(actor.getSnapshot()) };
}

describe("page with a network", () => {
  test("makes no requests, and is offline once the browser has no network", () => {
    const { ask, network, emitted, isAwayNow } = start(false);
    expect([isAwayNow(), ask.asked.length]).toEqual([false, 0]);
    network.say({ type: "network.lost" });
    // The device itself reports when it is online again.
    expect([isAwayNow(), ask.asked.length, emitted]).toEqual([true, 0, ["server.away"]]);
  });

  test("the page with a network is back when the server answers, not when the browser has a network", async () => {
    const { ask, network, emitted, isAwayNow } = start(false);
    network.say({ type: "network.lost" });
    network.say({ type: "network.found" });
    expect(isAwayNow()).toBe(true);
    await ask.last().resolve();
    expect([isAwayNow(), emitted]).toEqual([false, ["server.away", "server.back"]]);
  });
});

describe("page that was opened without the server", () => {
  test("asks for the server at growing intervals until it answers", async () => {
    const { ask, clock, isAwayNow } = start(true);
    for (const [wait, asked] of [
      [1_000, 2],
      [2_000, 3],
      [4_000, 4],
    ] as const) {
      await ask.last().reject("network");
      clock.increment(wait - 1);
      expect(ask.asked).toHaveLength(asked - 1);
      clock.increment(1);
      expect(ask.asked).toHaveLength(asked);
    }
    expect(isAwayNow()).toBe(true);
    await ask.last().resolve();
    expect(isAwayNow()).toBe(false);
  });

  test("asks for the server at once when the network comes back", async () => {
    const { ask, network } = start(true);
    await ask.last().reject("network");
    network.say({ type: "network.lost" });
    network.say({ type: "network.found" });
    expect(ask.asked).toHaveLength(2);
  });
});
