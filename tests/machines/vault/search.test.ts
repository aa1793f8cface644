import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import {
  selectIsReadingTexts,
  selectIsSearchingTexts,
  selectIsTextFound,
  type VaultSearchEvent,
  vaultSearchMachine,
} from "#machines/vault/search.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function setUp() {
  const clock = new SimulatedClock();
  const readTexts = talking<VaultSearchEvent, VaultSearchEvent>();
  const search = answering<void>();
  const done: string[] = [];
  const machine = vaultSearchMachine.provide({
    actors: { readTexts: readTexts.logic, search: search.logic },
    actions: { clearHits: () => done.push("hits"), clearTexts: () => done.push("texts") },
  });
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  const type = (isBlank = false) => {
    actor.send({ type: "query.changed", isBlank });
    clock.increment(200);
  };
  return { clock, readTexts, search, done, get, type, send: actor.send.bind(actor) };
}

async function found() {
  const vault = setUp();
  vault.type();
  vault.readTexts.say({ type: "texts.read" });
  await vault.search.last().resolve();
  return vault;
}

describe("search in the vault", () => {
  test("reads the texts at the first letters, and searches when the person pauses", async () => {
    const vault = setUp();
    vault.type(true);
    expect([vault.readTexts.starts(), vault.search.asked.length]).toEqual([0, 0]);
    vault.send({ type: "query.changed", isBlank: false });
    expect([vault.get(selectIsReadingTexts), vault.get(selectIsSearchingTexts), vault.search.asked.length]).toEqual([
      true,
      true,
      0,
    ]);
    vault.clock.increment(199);
    vault.type();
    expect(vault.search.asked.length).toBe(1);
    await vault.search.last().resolve();
    expect([vault.get(selectIsTextFound), vault.get(selectIsReadingTexts)]).toEqual([true, true]);
    vault.readTexts.say({ type: "texts.came" });
    expect(vault.search.asked.length).toBe(2);
    // The search that runs has not seen the last texts.
    vault.readTexts.say({ type: "texts.read" });
    expect([vault.search.asked[1]?.signal.aborted, vault.search.asked.length]).toEqual([true, 3]);
    await vault.search.last().resolve();
    vault.type();
    expect([vault.readTexts.starts(), vault.get(selectIsReadingTexts)]).toEqual([1, false]);
  });

  test("reads a changed text at once during a search, else with the next one", async () => {
    const vault = await found();
    vault.send({ type: "texts.changed" });
    expect(vault.readTexts.starts()).toBe(2);
    vault.send({ type: "texts.changed" });
    expect([vault.readTexts.starts(), vault.readTexts.running()]).toEqual([3, 1]);
    vault.readTexts.say({ type: "texts.read" });
    vault.type(true);
    vault.send({ type: "texts.changed" });
    expect(vault.readTexts.starts()).toBe(3);
    vault.type();
    expect(vault.readTexts.starts()).toBe(4);
  });
});
