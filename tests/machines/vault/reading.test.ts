import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  selectEdited,
  selectIsTextFetching,
  selectIsTextSaving,
  selectSaveFailure,
  selectTextFailure,
  type VaultReadingEvent,
  vaultReadingMachine,
} from "#machines/vault/reading.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function setUp() {
  const calls = {
    open: answering<void, { id: string }>(),
    save: answering<void, { index: number | null }>(),
    keep: answering<void, { id: string }>(),
  };
  const holdPage = talking();
  const wakeUps = talking<VaultReadingEvent, VaultReadingEvent>();
  const done: unknown[] = [];
  const machine = vaultReadingMachine.provide({
    actors: {
      open: calls.open.logic,
      save: calls.save.logic,
      keep: calls.keep.logic,
      holdPage: holdPage.logic,
      wakeUps: wakeUps.logic,
    },
    actions: {
      begin: (_, { index }) => done.push(["begin", index]),
      drop: () => done.push("drop"),
      seal: (_, { index }) => done.push(["seal", index]),
      release: () => done.push("release"),
    },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { id: "i1" } })).start();
  done.length = 0;
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { ...calls, holdPage, wakeUps, done, get, actor, send: actor.send.bind(actor) };
}

async function opened() {
  const text = setUp();
  text.send({ type: "open.requested" });
  await text.open.last().resolve();
  return text;
}

/** The field of passage 2 is open. */
async function edited() {
  const text = await opened();
  text.send({ type: "edit.requested", index: 2 });
  text.done.length = 0;
  return text;
}

describe("text in the vault", () => {
  test("keeps the field open when saving fails, until it succeeds or is canceled", async () => {
    const text = await edited();
    text.send({ type: "save.requested" });
    await text.save.last().reject("network");
    expect([text.get(selectEdited), text.get(selectSaveFailure), text.done]).toEqual([2, "network", []]);
    text.send({ type: "save.requested" });
    expect(text.get(selectSaveFailure)).toBeNull();
    await text.save.last().reject("network");
    text.send({ type: "edit.cancelled" });
    expect([text.get(selectEdited), text.get(selectSaveFailure), text.done]).toEqual([null, null, ["drop"]]);
  });

  test("saves the typed text before another passage's field opens", async () => {
    const text = await edited();
    text.send({ type: "edit.requested", index: 2 });
    expect(text.get(selectIsTextSaving)).toBe(false);
    text.send({ type: "edit.requested", index: 5 });
    expect([text.get(selectEdited), text.get(selectIsTextSaving)]).toEqual([2, true]);
    await text.save.last().resolve();
    expect([text.get(selectEdited), text.done]).toEqual([5, [["begin", 5]]]);
    text.send({ type: "edit.requested", index: 1 });
    await text.save.last().reject("network");
    // After an automatic save, no other field opens.
    text.send({ type: "save.requested" });
    await text.save.last().resolve();
    expect(text.get(selectEdited)).toBeNull();
  });

  test("stores sealed changes when the network is back, or before the text is read again", async () => {
    const text = await edited();
    text.send({ type: "close.requested" });
    await text.keep.last().reject("network");
    expect(text.wakeUps.isRunning()).toBe(true);
    text.wakeUps.say({ type: "page.resumed" });
    await text.keep.last().reject("network");
    text.send({ type: "open.requested" });
    await text.keep.last().reject("network");
    expect([text.get(selectTextFailure), text.holdPage.isRunning()]).toEqual(["network", true]);
    text.send({ type: "close.requested" });
    expect(text.wakeUps.isRunning()).toBe(true);
    text.send({ type: "open.requested" });
    expect([text.get(selectIsTextFetching), text.open.asked.length]).toEqual([true, 1]);
    await text.keep.last().resolve();
    expect([text.open.asked.length, text.holdPage.isRunning()]).toEqual([2, false]);
    await text.open.last().resolve();
    text.send({ type: "close.requested" });
    expect(text.actor.getSnapshot().value).toBe("closed");
  });
});
