import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import {
  type SharedWithMeEmitted,
  type SharedWithMeEvent,
  selectAnswers,
  selectAsked,
  selectFailure,
  selectIsUnavailable,
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
