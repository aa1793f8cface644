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
import { sealedItem } from "./harness.ts";

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

describe("transfers into the vault", () => {
  test("transfers into the vault run one after another and hold the page", async () => {
    const harness = setUp();
    harness.add("one", "two");
    expect([harness.state("one"), harness.state("two"), harness.held()]).toEqual(["sending", "queued", 1]);
    await harness.send.last().resolve(sealedItem("i1"));
    expect([harness.state("one"), harness.state("two"), harness.done]).toEqual(["done", "sending", ["one"]]);
    await harness.send.last().resolve(sealedItem("i2"));
    expect([harness.done, harness.held()]).toEqual([["one", "two"], 0]);
  });

  test("transfers into the vault remove a canceled one from the server and continue with the next", async () => {
    const harness = setUp();
    harness.add("one", "two");
    harness.find("one").send({ type: "cancel.requested" });
    expect([harness.discard.inputs(), harness.state("two"), harness.send.asked[0]?.signal.aborted]).toEqual([
      [{ id: "one" }],
      "sending",
      true,
    ]);
    await harness.discard.last().resolve();
    harness.actor.send({ type: "dismiss.requested", id: "one" });
    expect(selectTransfers(harness.actor.getSnapshot()).map(({ id }) => id)).toEqual(["two"]);
  });

  test("the transfers into the vault can't be dismissed while they run", () => {
    const harness = setUp();
    harness.add("one");
    harness.actor.send({ type: "dismiss.requested", id: "one" });
    expect(harness.state("one")).toBe("sending");
  });

  test("transfers into the vault fail for an unreadable file, and can be retried", async () => {
    const harness = setUp();
    harness.add("one");
    await harness.send.last().reject("unreadable");
    expect([harness.state("one"), selectTransferFailure(harness.find("one").getSnapshot())]).toEqual(["failed", "unreadable"]);
    harness.find("one").send({ type: "retry.requested" });
    expect([harness.state("one"), harness.send.asked.length]).toEqual(["sending", 2]);
  });
});

describe("transcription that moves to the vault", () => {
  test("the transcription that moves to the vault is verified before its original is deleted", async () => {
    const harness = setUp();
    harness.add("moving");
    await harness.send.last().resolve(sealedItem("i1"));
    expect([harness.state("moving"), harness.settle.inputs(), harness.done]).toEqual([
      "settling",
      [{ id: "moving", item: sealedItem("i1") }],
      [],
    ]);
    await harness.settle.last().resolve();
    expect([harness.state("moving"), harness.done]).toEqual(["done", ["moving"]]);
  });

  test("waits while the vault is locked, and continues without a new upload", async () => {
    const harness = setUp();
    harness.add("moving");
    await harness.send.last().resolve(sealedItem("i1"));
    await harness.settle.last().reject("locked");
    expect(harness.state("moving")).toBe("waitingForServer");
    harness.clock.increment(30_000);
    expect([harness.state("moving"), harness.settle.asked.length, harness.send.asked.length]).toEqual(["settling", 2, 1]);
  });

  test("a move into the vault fails when the verification finds a difference", async () => {
    const harness = setUp();
    harness.add("moving");
    await harness.send.last().resolve(sealedItem("i1"));
    await harness.settle.last().reject("different");
    expect([harness.state("moving"), harness.done]).toEqual(["failed", []]);
  });
});

describe("single transfer", () => {
  const refused = (status: number) => ({ status });

  test.each(["send", "settle"] as const)("waits for a signed-out owner (%s) until they return or retry", async (at) => {
    for (const how of ["session.resumed", "retry.requested"] as const) {
      const harness = setUp();
      harness.add("moving");
      if (at === "settle") await harness.send.last().resolve(sealedItem("i1"));
      await harness[at].last().reject("unauthorized", refused(401));
      expect([harness.state("moving"), harness.signIn.running()]).toEqual(["waitingForSignIn", 1]);
      if (how === "session.resumed") harness.signIn.say({ type: how });
      else harness.find("moving").send({ type: how });
      expect([harness.state("moving"), harness[at].asked.length]).toEqual([at === "send" ? "sending" : "settling", 2]);
    }
  });

  test.each(["send", "settle"] as const)(
    "the single transfer is retried (%s) after 1, 2, 4 s and on waking or request, and fails at the fifth time",
    async (at) => {
      const harness = setUp();
      harness.add("moving");
      if (at === "settle") await harness.send.last().resolve(sealedItem("i1"));
      for (const ms of [1_000, 2_000]) {
        await harness[at].last().reject("internal", refused(500));
        const { length } = harness[at].asked;
        harness.clock.increment(ms - 1);
        expect([harness.state("moving"), harness[at].asked.length]).toEqual(["waitingForServer", length]);
        harness.clock.increment(1);
        expect(harness[at].asked).toHaveLength(length + 1);
      }
      await harness[at].last().reject("internal", refused(500));
      harness.wakeUps.say({ type: "page.resumed" });
      await harness[at].last().reject("internal", refused(500));
      harness.find("moving").send({ type: "retry.requested" });
      await harness[at].last().reject("internal", refused(500));
      const now = () => harness.find("moving").getSnapshot();
      expect([harness.state("moving"), selectTransferFailure(now()), selectCanRetry(now())]).toEqual([
        "failed",
        "internal",
        true,
      ]);
      harness.find("moving").send({ type: "retry.requested" });
      expect([selectTransferFailure(now()), now().context.attempts, harness.state("moving")]).toEqual([
        null,
        0,
        at === "send" ? "sending" : "settling",
      ]);
    },
  );

  test("leaves the list after it failed and was canceled", async () => {
    for (const works of [true, false]) {
      const harness = setUp();
      const removed: string[] = [];
      harness.actor.on("transfer.removed", ({ id }) => removed.push(id));
      harness.add("one");
      await harness.send.last().reject("unreadable");
      const now = () => harness.find("one").getSnapshot();
      expect([selectTransferSize(now()), selectCanCancel(now()), selectTransferIsOver(now())]).toEqual([5, true, false]);
      harness.find("one").send({ type: "cancel.requested" });
      expect([harness.state("one"), selectTransferIsOver(now()), selectCanCancel(now())]).toEqual(["cancelled", false, false]);
      harness.actor.send({ type: "dismiss.requested", id: "one" });
      if (works) await harness.discard.last().resolve();
      else await harness.discard.last().reject("network");
      expect([selectTransferIsOver(now()), removed]).toEqual([true, []]);
      harness.actor.send({ type: "dismiss.requested", id: "one" });
      expect([selectTransfers(harness.actor.getSnapshot()), removed]).toEqual([[], ["one"]]);
    }
  });

  test("the single transfer can't be canceled or retried once it is done", async () => {
    const harness = setUp();
    harness.add("one");
    await harness.send.last().resolve(sealedItem("i1"));
    const now = harness.find("one").getSnapshot();
    expect([selectCanCancel(now), selectCanRetry(now), selectTransferIsOver(now), now.context.item?.id]).toEqual([
      false,
      false,
      true,
      "i1",
    ]);
  });
});
