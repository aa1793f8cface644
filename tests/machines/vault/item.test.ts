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

describe("recording in the vault", () => {
  test("the recording in the vault is downloaded, decrypted and open until it is closed, leaving nothing decrypted", async () => {
    const item = setUp();
    expect(item.state()).toEqual(closed);
    item.send({ type: "play.requested" });
    expect([item.state(), item.open.inputs()]).toEqual([fetching, [{ id: "i1" }]]);
    await item.open.last().resolve();
    expect([item.state(), item.done]).toEqual([open, []]);
    item.send({ type: "close.requested" });
    expect([item.state(), item.done]).toEqual([closed, ["release"]]);
  });

  test("the recording in the vault is saved from its open state", async () => {
    const item = await opened();
    item.send({ type: "save.requested" });
    expect([item.state(), item.done, item.open.asked.length]).toEqual([open, ["hand over"], 1]);
  });

  test("the recording in the vault is downloaded for saving while closed, and closes again", async () => {
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
  ] as const)("the recording in the vault can be canceled by the person during %s", (type, call) => {
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
  ] as const)("a vault recording shows why %s failed until the next try", async (type, call) => {
    const item = setUp();
    item.send({ type });
    await item[call].last().reject("damaged");
    expect([item.state(), item.get(selectItemFailure), item.done]).toEqual([closed, "damaged", []]);
    item.send({ type });
    expect([item.get(selectItemFailure), item[call].inputs()]).toEqual([null, [{ id: "i1" }, { id: "i1" }]]);
  });

  test.each(["closed", "open"])("the recording in the vault is downloaded encrypted while %s", async (where) => {
    const item = where === "open" ? await opened() : setUp();
    item.send({ type: "download.requested" });
    expect(item.state()).toEqual(fetching);
    await item.download.last().resolve();
    expect([item.state(), item.done]).toEqual([closed, where === "open" ? ["release"] : []]);
  });

  test.each(["closed", "open"])("the recording in the vault is renamed while %s, and emits that", async (where) => {
    const item = where === "open" ? await opened() : setUp();
    item.send({ type: "rename.requested" });
    expect(item.state()).toEqual(busy);
    await item.rename.last().resolve(sealedItem("i1"));
    const told = { type: "item.renamed", item: sealedItem("i1") };
    expect([item.state(), item.done]).toEqual([closed, where === "open" ? ["release", told] : [told]]);
  });

  test.each(["closed", "open"])("the recording in the vault is removed while %s, and emits that", async (where) => {
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

  test("shows why it can't be removed until the next confirmation", async () => {
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
