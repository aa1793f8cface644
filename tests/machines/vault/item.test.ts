import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import {
  selectIsFetching,
  selectItemFailure,
  selectItemIsAsked,
  selectItemIsBusy,
  selectItemIsFree,
  selectItemIsOpen,
  vaultItemMachine,
} from "#machines/vault/item.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";
import { sealedItem } from "./harness.ts";

function setUp() {
  const calls = {
    open: answering<void, { id: string }>(),
    download: answering<void, { id: string }>(),
    rename: answering<VaultItem, { id: string }>(),
    remove: answering<void, { id: string }>(),
  };
  const { open, download, rename, remove } = calls;
  const done: unknown[] = [];
  const machine = vaultItemMachine.provide({
    actors: { open: open.logic, download: download.logic, rename: rename.logic, remove: remove.logic },
    actions: { handOver: () => done.push("hand over"), release: () => done.push("release") },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { id: "i1" } }));
  actor.on("*", (event) => done.push(event));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  /** Whether it is free, fetched, open, changed. */
  const state = () => [get(selectItemIsFree), get(selectIsFetching), get(selectItemIsOpen), get(selectItemIsBusy)];
  return { ...calls, done, get, state, send: actor.send.bind(actor) };
}
const closed = [true, false, false, false];
const fetching = [false, true, false, false];
const open = [true, false, true, false];
const busy = [false, false, false, true];

async function opened() {
  const item = setUp();
  item.send({ type: "play.requested" });
  await item.open.last().resolve();
  return item;
}

describe("a recording in the vault", () => {
  test("is fetched, decrypted and open until it is closed: then nothing decrypted is left", async () => {
    const item = setUp();
    expect(item.state()).toEqual(closed);
    item.send({ type: "play.requested" });
    expect([item.state(), item.open.inputs()]).toEqual([fetching, [{ id: "i1" }]]);
    await item.open.last().resolve();
    expect([item.state(), item.done]).toEqual([open, []]);
    item.send({ type: "close.requested" });
    expect([item.state(), item.done]).toEqual([closed, ["release"]]);
  });

  test("that is open is saved as it stands there", async () => {
    const item = await opened();
    item.send({ type: "save.requested" });
    expect([item.state(), item.done, item.open.asked.length]).toEqual([open, ["hand over"], 1]);
  });

  test("that is closed is fetched for saving, and closed again", async () => {
    const item = setUp();
    item.send({ type: "save.requested" });
    expect(item.state()).toEqual(fetching);
    await item.open.last().resolve();
    expect([item.state(), item.done]).toEqual([closed, ["hand over", "release"]]);
  });

  test.each([
    ["play.requested", "open"],
    ["save.requested", "open"],
    ["download.requested", "download"],
  ] as const)("%s is called off by the person", (type, call) => {
    const item = setUp();
    item.send({ type });
    item.send({ type: "cancel.requested" });
    expect([item.state(), item[call].last().signal.aborted, item.done]).toEqual([closed, true, []]);
  });

  test.each([
    ["play.requested", "open"],
    ["save.requested", "open"],
    ["download.requested", "download"],
    ["rename.requested", "rename"],
  ] as const)("%s that fails says why until the next try", async (type, call) => {
    const item = setUp();
    item.send({ type });
    await item[call].last().reject("damaged");
    expect([item.state(), item.get(selectItemFailure), item.done]).toEqual([closed, "damaged", []]);
    item.send({ type });
    expect([item.get(selectItemFailure), item[call].inputs()]).toEqual([null, [{ id: "i1" }, { id: "i1" }]]);
  });

  test.each(["closed", "open"])("that is %s is downloaded as it is", async (where) => {
    const item = where === "open" ? await opened() : setUp();
    item.send({ type: "download.requested" });
    expect(item.state()).toEqual(fetching);
    await item.download.last().resolve();
    expect([item.state(), item.done]).toEqual([closed, where === "open" ? ["release"] : []]);
  });

  test.each(["closed", "open"])("that is %s is renamed, which is told", async (where) => {
    const item = where === "open" ? await opened() : setUp();
    item.send({ type: "rename.requested" });
    expect(item.state()).toEqual(busy);
    await item.rename.last().resolve(sealedItem("i1"));
    const told = { type: "item.renamed", item: sealedItem("i1") };
    expect([item.state(), item.done]).toEqual([closed, where === "open" ? ["release", told] : [told]]);
  });

  test.each(["closed", "open"])("that is %s is removed, which is told", async (where) => {
    const item = where === "open" ? await opened() : setUp();
    item.send({ type: "remove.requested" });
    item.send({ type: "cancel.requested" });
    item.send({ type: "remove.confirmed" });
    expect([item.get(selectItemIsAsked), item.get(selectItemIsOpen), item.done]).toEqual([false, where === "open", []]);
    item.send({ type: "remove.requested" });
    expect(item.get(selectItemIsAsked)).toBe(true);
    item.send({ type: "remove.confirmed" });
    expect(item.state()).toEqual(busy);
    await item.remove.last().resolve();
    const told = { type: "item.removed", id: "i1" };
    expect([item.state(), item.done]).toEqual([[false, false, false, false], where === "open" ? ["release", told] : [told]]);
  });

  test("an item that can't be removed says why until its removal is confirmed again", async () => {
    const item = setUp();
    for (const reason of ["damaged", "network"]) {
      item.send({ type: "remove.requested" });
      item.send({ type: "remove.confirmed" });
      expect(item.get(selectItemFailure)).toBeNull();
      await item.remove.last().reject(reason);
      expect([item.state(), item.get(selectItemFailure)]).toEqual([closed, reason]);
    }
  });
});
