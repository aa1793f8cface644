import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import {
  type SharedWithMeEmitted,
  type SharedWithMeEvent,
  selectAnswers,
  selectAsked,
  selectBusy,
  selectFailure,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
  selectLoadError,
  selectShares,
  sharedWithMeMachine,
} from "#machines/shared-with-me/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const share = (id: string, accepted = true): ReceivedShare => ({
  id,
  transcription: `t-${id}`,
  title: "The harbour",
  date: "2026-03-01T12:00:00.000Z",
  durationSeconds: 2,
  by: "owner@example.org",
  role: "read",
  accepted,
  expiresAt: null,
});

function start() {
  const load = answering<readonly ReceivedShare[]>();
  const accept = answering<readonly ReceivedShare[], { id: string }>();
  const leave = answering<readonly ReceivedShare[], { id: string }>();
  const wakeUps = talking<SharedWithMeEvent, SharedWithMeEvent>();
  const machine = sharedWithMeMachine.provide({
    actors: { load: load.logic, accept: accept.logic, leave: leave.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: SharedWithMeEmitted["type"][] = [];
  for (const type of ["share.accepted", "share.left"] as const) actor.on(type, () => emitted.push(type));
  actor.start();
  return { actor, load, accept, leave, wakeUps, emitted, now: () => actor.getSnapshot() };
}

describe("what others share with a person", () => {
  test("is accepted, and stands there as the server then has it", async () => {
    const { actor, load, accept, emitted, now } = start();
    await load.last().resolve([share("one", false)]);
    actor.send({ type: "acceptance.requested", id: "one" });
    expect(accept.inputs()).toEqual([{ id: "one" }]);
    await accept.last().resolve([share("one")]);
    expect([selectShares(now())[0]?.accepted, emitted, selectAnswers(now())]).toEqual([true, ["share.accepted"], 1]);
  });

  test("is left after a question alone", async () => {
    const { actor, load, leave, emitted, now } = start();
    await load.last().resolve([share("one")]);
    actor.send({ type: "leaving.requested", id: "one" });
    actor.send({ type: "leaving.dismissed" });
    actor.send({ type: "leaving.requested", id: "one" });
    expect([selectAsked(now())?.id, leave.asked.length]).toEqual(["one", 0]);
    actor.send({ type: "leaving.confirmed" });
    await leave.last().resolve([]);
    expect([selectShares(now()), emitted]).toEqual([[], ["share.left"]]);
  });

  test("that was taken away meanwhile says so, and is asked again", async () => {
    const { actor, load, accept, now } = start();
    await load.last().resolve([share("one", false)]);
    actor.send({ type: "acceptance.requested", id: "one" });
    await accept.last().reject("notFound");
    await load.last().resolve([]);
    expect([selectShares(now()), selectFailure(now())]).toEqual([[], "notFound"]);
  });

  test("is no matter of a server that does not know it", async () => {
    const { load, now } = start();
    await load.last().reject("notOffered");
    expect(selectIsUnavailable(now())).toBe(true);
  });
});

describe("several shares", () => {
  test("are left and accepted each by itself, and the list is asked for again only after one that is gone", async () => {
    const { actor, load, accept, leave, now } = start();
    expect([selectIsLoading(now()), selectIsOpen(now()), selectShares(now())]).toEqual([true, false, []]);
    await load.last().resolve([share("one", false), share("two"), share("three")]);
    expect([selectIsLoading(now()), selectIsOpen(now()), selectBusy(now())]).toEqual([false, true, null]);
    for (const code of ["network", "notFound"]) {
      actor.send({ type: "leaving.requested", id: "three" });
      expect([selectAsked(now())?.id, selectBusy(now()), selectFailure(now())]).toEqual(["three", null, null]);
      actor.send({ type: "leaving.confirmed" });
      expect([selectAsked(now()), selectBusy(now())]).toEqual([null, "three"]);
      await leave.last().reject(code);
      expect([selectFailure(now()), load.asked.length, selectBusy(now())]).toEqual([code, code === "network" ? 1 : 2, null]);
    }
    actor.send({ type: "acceptance.requested", id: "one" });
    expect([selectBusy(now()), selectFailure(now())]).toEqual(["one", null]);
    await accept.last().reject("network");
    expect([selectFailure(now()), load.asked.length, selectAnswers(now())]).toEqual(["network", 2, 0]);
    actor.send({ type: "acceptance.requested", id: "one" });
    await accept.last().resolve([share("one")]);
    actor.send({ type: "leaving.requested", id: "one" });
    actor.send({ type: "leaving.confirmed" });
    await leave.last().resolve([]);
    expect(selectAnswers(now())).toBe(2);
  });

  test("that can't be loaded say why, until the network is back, or on request", async () => {
    const { actor, load, wakeUps, now } = start();
    await load.last().reject("network");
    expect([selectLoadError(now()), selectIsOpen(now())]).toEqual(["network", false]);
    wakeUps.say({ type: "page.resumed" });
    expect(selectLoadError(now())).toBeNull();
    await load.last().reject("internal");
    actor.send({ type: "reload.requested" });
    await load.last().resolve([share("one")]);
    expect([selectLoadError(now()), selectShares(now()).length]).toEqual([null, 1]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    expect([selectShares(now()).length, selectLoadError(now())]).toEqual([1, null]);
  });
});
