import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import {
  type LoadingEvent,
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import { selectAsked, selectBusy, selectItems, selectReturns } from "#machines/collection/selectors.ts";
import { sharedWithMeMachine } from "#machines/people/shared-with-me.ts";
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
  const load = answering<Listed<ReceivedShare>>();
  const accept = answering<Listed<ReceivedShare>, { id: string }>();
  const remove = answering<void, { id: string }>();
  const wakeUps = talking<LoadingEvent>();
  const machine = sharedWithMeMachine.provide({
    actors: { load: load.logic, accept: accept.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: string[] = [];
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  return { actor, load, accept, remove, wakeUps, emitted, now: () => actor.getSnapshot() };
}

describe("transcripts shared with a person", () => {
  test("shows an accepted transcript as the server has it", async () => {
    const { actor, load, accept, emitted, now } = start();
    await load.last().resolve({ items: [share("one", false)] });
    actor.send({ type: "acceptance.requested", id: "one" });
    expect(accept.inputs()).toEqual([{ id: "one" }]);
    await accept.last().resolve({ items: [share("one")] });
    expect([selectItems(now())[0]?.accepted, emitted, selectReturns(now())]).toEqual([true, ["item.changed"], 1]);
  });

  test("leaves a shared transcript only after confirmation", async () => {
    const { actor, load, remove, emitted, now } = start();
    await load.last().resolve({ items: [share("one")] });
    actor.send({ type: "removal.requested", id: "one" });
    actor.send({ type: "removal.dismissed" });
    actor.send({ type: "removal.requested", id: "one" });
    expect([selectAsked(now())?.id, remove.asked.length]).toEqual(["one", 0]);
    actor.send({ type: "removal.confirmed" });
    await remove.last().resolve();
    expect([selectItems(now()), emitted]).toEqual([[], ["item.removed"]]);
  });

  test("reports an invitation that was withdrawn, and reloads the list", async () => {
    const { actor, load, accept, now } = start();
    await load.last().resolve({ items: [share("one", false)] });
    actor.send({ type: "acceptance.requested", id: "one" });
    await accept.last().reject("notFound");
    await load.last().resolve({ items: [] });
    expect([selectItems(now()), selectFailure(now())]).toEqual([[], "notFound"]);
  });

  test("shows no shares when the server does not know them", async () => {
    const { load, now } = start();
    await load.last().reject("notOffered");
    expect(selectIsUnavailable(now())).toBe(true);
  });
});

describe("several shared transcripts", () => {
  test("leaves and accepts shares one by one, and reloads the list after a failure", async () => {
    const { actor, load, accept, remove, now } = start();
    expect([selectIsLoading(now()), selectIsOpen(now()), selectItems(now())]).toEqual([true, false, []]);
    await load.last().resolve({ items: [share("one", false), share("two"), share("three")] });
    expect([selectIsLoading(now()), selectIsOpen(now()), selectBusy(now())]).toEqual([false, true, null]);
    for (const code of ["network", "notFound"]) {
      actor.send({ type: "removal.requested", id: "three" });
      expect([selectAsked(now())?.id, selectBusy(now()), selectFailure(now())]).toEqual(["three", null, null]);
      actor.send({ type: "removal.confirmed" });
      expect([selectAsked(now()), selectBusy(now())]).toEqual([null, "three"]);
      await remove.last().reject(code);
      expect([selectFailure(now()), load.asked.length, selectBusy(now())]).toEqual([code, code === "network" ? 2 : 3, null]);
    }
    actor.send({ type: "acceptance.requested", id: "one" });
    expect([selectBusy(now()), selectFailure(now())]).toEqual(["one", null]);
    await accept.last().reject("network");
    expect([selectFailure(now()), load.asked.length, selectReturns(now())]).toEqual(["network", 4, 0]);
    actor.send({ type: "acceptance.requested", id: "one" });
    await accept.last().resolve({ items: [share("one")] });
    actor.send({ type: "removal.requested", id: "one" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().resolve();
    expect(selectReturns(now())).toBe(2);
  });

  test("reloads shares on request or when the network is back", async () => {
    const { actor, load, wakeUps, now } = start();
    await load.last().reject("network");
    expect([selectHasFailed(now()), selectIsOpen(now())]).toEqual([true, false]);
    wakeUps.say({ type: "page.resumed" });
    expect(selectHasFailed(now())).toBe(false);
    await load.last().reject("internal");
    actor.send({ type: "reload.requested" });
    await load.last().resolve({ items: [share("one")] });
    expect([selectHasFailed(now()), selectItems(now()).length]).toEqual([false, 1]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    expect([selectItems(now()).length, selectHasFailed(now())]).toEqual([1, false]);
  });
});
