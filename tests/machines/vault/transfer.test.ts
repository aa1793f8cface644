import { describe, expect, test } from "vitest";
import { createActor, fromCallback, SimulatedClock } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import {
  selectCanCancel,
  selectCanRetry,
  selectTransferFailure,
  selectTransferIsOver,
  selectTransferSize,
  selectTransferState,
  type VaultTransferEvent,
  vaultTransferMachine,
} from "#machines/vault/transfer.ts";
import { selectTransfers, vaultTransfersMachine } from "#machines/vault/transfers.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { sealedItem } from "./rig.ts";

function setUp() {
  const clock = new SimulatedClock();
  const send = answering<VaultItem, { id: string }>();
  const settle = answering<void, { id: string; item: VaultItem | null }>();
  const discard = answering<void, { id: string }>();
  const wakeUps = talking<VaultTransferEvent, VaultTransferEvent>();
  const signIn = talking<VaultTransferEvent, VaultTransferEvent>();
  let held = 0;
  const transfer = vaultTransferMachine.provide({
    actors: {
      send: send.logic,
      settle: settle.logic,
      discard: discard.logic,
      wakeUps: wakeUps.logic,
      signIn: signIn.logic,
    },
  });
  const holdPage = fromCallback(() => {
    held += 1;
    return () => {
      held -= 1;
    };
  });
  const actor = stopsAfterTest(createActor(vaultTransfersMachine.provide({ actors: { transfer, holdPage } }), { clock }));
  const done: string[] = [];
  actor.on("transfer.done", ({ id }) => done.push(id));
  actor.start();
  const add = (...ids: string[]) =>
    actor.send({ type: "transfers.added", transfers: ids.map((id) => ({ id, size: 5, moves: id.startsWith("moving") })) });
  const find = (id: string) => {
    const found = selectTransfers(actor.getSnapshot()).find((one) => one.id === id);
    if (found === undefined) throw new Error(`${id} is not there`);
    return found;
  };
  const state = (id: string) => selectTransferState(find(id).getSnapshot());
  return { clock, send, settle, discard, wakeUps, signIn, actor, done, add, find, state, held: () => held };
}

describe("what goes into the vault", () => {
  test("goes one after another, and holds the page meanwhile", async () => {
    const rig = setUp();
    rig.add("one", "two");
    expect([rig.state("one"), rig.state("two"), rig.held()]).toEqual(["sending", "queued", 1]);
    await rig.send.last().resolve(sealedItem("i1"));
    expect([rig.state("one"), rig.state("two"), rig.done]).toEqual(["done", "sending", ["one"]]);
    await rig.send.last().resolve(sealedItem("i2"));
    expect([rig.done, rig.held()]).toEqual([["one", "two"], 0]);
  });

  test("that was called off is taken from the server, and the next goes on", async () => {
    const rig = setUp();
    rig.add("one", "two");
    rig.find("one").send({ type: "cancel.requested" });
    expect([rig.discard.inputs(), rig.state("two"), rig.send.asked[0]?.signal.aborted]).toEqual([
      [{ id: "one" }],
      "sending",
      true,
    ]);
    await rig.discard.last().resolve();
    rig.actor.send({ type: "dismiss.requested", id: "one" });
    expect(selectTransfers(rig.actor.getSnapshot()).map(({ id }) => id)).toEqual(["two"]);
  });

  test("that is under way can't be taken off the list", () => {
    const rig = setUp();
    rig.add("one");
    rig.actor.send({ type: "dismiss.requested", id: "one" });
    expect(rig.state("one")).toBe("sending");
  });

  test("that can't be read has failed, and can be tried again", async () => {
    const rig = setUp();
    rig.add("one");
    await rig.send.last().reject("unreadable");
    expect([rig.state("one"), selectTransferFailure(rig.find("one").getSnapshot())]).toEqual(["failed", "unreadable"]);
    rig.find("one").send({ type: "retry.requested" });
    expect([rig.state("one"), rig.send.asked.length]).toEqual(["sending", 2]);
  });
});

describe("a transcription that moves", () => {
  test("is compared before its original is deleted, and is done after that", async () => {
    const rig = setUp();
    rig.add("moving");
    await rig.send.last().resolve(sealedItem("i1"));
    expect([rig.state("moving"), rig.settle.inputs(), rig.done]).toEqual([
      "settling",
      [{ id: "moving", item: sealedItem("i1") }],
      [],
    ]);
    await rig.settle.last().resolve();
    expect([rig.state("moving"), rig.done]).toEqual(["done", ["moving"]]);
  });

  test("waits while the vault is locked, and goes on without being sent again", async () => {
    const rig = setUp();
    rig.add("moving");
    await rig.send.last().resolve(sealedItem("i1"));
    await rig.settle.last().reject("locked");
    expect(rig.state("moving")).toBe("waitingForServer");
    rig.clock.increment(30_000);
    expect([rig.state("moving"), rig.settle.asked.length, rig.send.asked.length]).toEqual(["settling", 2, 1]);
  });

  test("that is not the same when it is read back has failed", async () => {
    const rig = setUp();
    rig.add("moving");
    await rig.send.last().resolve(sealedItem("i1"));
    await rig.settle.last().reject("different");
    expect([rig.state("moving"), rig.done]).toEqual(["failed", []]);
  });
});

describe("a transfer", () => {
  const refused = (status: number) => ({ status });

  test.each(["send", "settle"] as const)("whose owner is signed out (%s) waits until they are back, or try again", async (at) => {
    for (const how of ["session.resumed", "retry.requested"] as const) {
      const rig = setUp();
      rig.add("moving");
      if (at === "settle") await rig.send.last().resolve(sealedItem("i1"));
      await rig[at].last().reject("unauthorized", refused(401));
      expect([rig.state("moving"), rig.signIn.running()]).toEqual(["waitingForSignIn", 1]);
      if (how === "session.resumed") rig.signIn.say({ type: how });
      else rig.find("moving").send({ type: how });
      expect([rig.state("moving"), rig[at].asked.length]).toEqual([at === "send" ? "sending" : "settling", 2]);
    }
  });

  test.each(["send", "settle"] as const)(
    "is tried again (%s) after 1, 2, 4 s, and at once on waking or request; the fifth failure is one",
    async (at) => {
      const rig = setUp();
      rig.add("moving");
      if (at === "settle") await rig.send.last().resolve(sealedItem("i1"));
      for (const ms of [1_000, 2_000]) {
        await rig[at].last().reject("internal", refused(500));
        const { length } = rig[at].asked;
        rig.clock.increment(ms - 1);
        expect([rig.state("moving"), rig[at].asked.length]).toEqual(["waitingForServer", length]);
        rig.clock.increment(1);
        expect(rig[at].asked).toHaveLength(length + 1);
      }
      await rig[at].last().reject("internal", refused(500));
      rig.wakeUps.say({ type: "page.resumed" });
      await rig[at].last().reject("internal", refused(500));
      rig.find("moving").send({ type: "retry.requested" });
      await rig[at].last().reject("internal", refused(500));
      const now = () => rig.find("moving").getSnapshot();
      expect([rig.state("moving"), selectTransferFailure(now()), selectCanRetry(now())]).toEqual(["failed", "internal", true]);
      rig.find("moving").send({ type: "retry.requested" });
      expect([selectTransferFailure(now()), now().context.attempts, rig.state("moving")]).toEqual([
        null,
        0,
        at === "send" ? "sending" : "settling",
      ]);
    },
  );

  test("that failed is called off, and taken off the list once nothing of it is left, or that can't be known", async () => {
    for (const works of [true, false]) {
      const rig = setUp();
      const removed: string[] = [];
      rig.actor.on("transfer.removed", ({ id }) => removed.push(id));
      rig.add("one");
      await rig.send.last().reject("unreadable");
      const now = () => rig.find("one").getSnapshot();
      expect([selectTransferSize(now()), selectCanCancel(now()), selectTransferIsOver(now())]).toEqual([5, true, false]);
      rig.find("one").send({ type: "cancel.requested" });
      expect([rig.state("one"), selectTransferIsOver(now()), selectCanCancel(now())]).toEqual(["cancelled", false, false]);
      rig.actor.send({ type: "dismiss.requested", id: "one" });
      if (works) await rig.discard.last().resolve();
      else await rig.discard.last().reject("network");
      expect([selectTransferIsOver(now()), removed]).toEqual([true, []]);
      rig.actor.send({ type: "dismiss.requested", id: "one" });
      expect([selectTransfers(rig.actor.getSnapshot()), removed]).toEqual([[], ["one"]]);
    }
  });

  test("that is done can be neither called off nor tried again", async () => {
    const rig = setUp();
    rig.add("one");
    await rig.send.last().resolve(sealedItem("i1"));
    const now = rig.find("one").getSnapshot();
    expect([selectCanCancel(now), selectCanRetry(now), selectTransferIsOver(now), now.context.item?.id]).toEqual([
      false,
      false,
      true,
      "i1",
    ]);
  });
});
