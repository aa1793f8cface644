import { describe, expect, test } from "vitest";
import type { VaultItem } from "#contract/index.ts";
import { itemChanges } from "#machines/vault/rules.ts";
import {
  selectFailure,
  selectIsAskedToErase,
  selectIsBusy,
  selectIsErasing,
  selectIsOpen,
  selectIsRecovering,
  selectItems,
  selectLockedBy,
  selectRecipient,
  selectScreen,
  selectSealed,
  selectTotalSize,
} from "#machines/vault/selectors.ts";
import { locked, sealedItem, sealedVault, setUp } from "./harness.ts";

const [one, two, three] = [sealedItem("one", { size: 5 }), sealedItem("two", { size: 70 }), sealedItem("three", { size: 600 })];

async function resting(items: VaultItem[] = []) {
  const vault = await locked(items);
  vault.send({ type: "unlock.requested" });
  await vault.unlock.last().resolve();
  await vault.readNames.last().resolve();
  return vault;
}

async function recovered(items: VaultItem[] = []) {
  const vault = await locked(items);
  vault.send({ type: "recover.requested" });
  await vault.recover.last().resolve();
  return vault;
}

describe("items of a vault in the list", () => {
  test("items of a vault in the list have a total size, which is 0 bytes without items", async () => {
    const vault = await locked([one, two, three]);
    expect(vault.get(selectTotalSize)).toBe(675);
    expect((await locked()).get(selectTotalSize)).toBe(0);
  });

  test("items of a vault in the list come first when added, once, and keep their place when changed", () => {
    expect(itemChanges([one, two], { type: "item.added", item: three })).toEqual([three, one, two]);
    const larger = { ...two, size: 71 };
    expect(itemChanges([one, two, three], { type: "item.added", item: larger })).toEqual([larger, one, three]);
    expect(itemChanges([one, two, three], { type: "item.changed", item: larger })).toEqual([one, larger, three]);
    expect(itemChanges([one, two, three], { type: "item.removed", id: "two" })).toEqual([one, three]);
    const items = [one];
    expect(itemChanges(items, { type: "lock.requested" })).toBe(items);
  });

  test("items of a vault in the list change while the vault is locked, missing or recovered", async () => {
    const without = setUp();
    await without.load.last().resolve({ vault: null, items: [] });
    without.send({ type: "item.added", item: one });
    expect(without.get(selectItems)).toEqual([one]);
    for (const vault of [await locked([one]), await recovered([one])]) {
      vault.send({ type: "item.changed", item: { ...one, size: 6 } });
      vault.send({ type: "item.added", item: two });
      expect([vault.get(selectTotalSize), vault.readNames.asked]).toEqual([76, []]);
    }
    const renewing = await recovered([one]);
    renewing.send({ type: "passphrase.chosen" });
    renewing.send({ type: "item.changed", item: { ...one, size: 6 } });
    renewing.send({ type: "item.added", item: two });
    expect([renewing.get(selectTotalSize), renewing.get(selectIsBusy)]).toEqual([76, true]);
    renewing.send({ type: "item.removed", id: "two" });
    expect(renewing.get(selectTotalSize)).toBe(6);
  });

  test("items of a vault in the list are not read again when one is removed from an open vault", async () => {
    const vault = await resting([one, two]);
    vault.send({ type: "item.removed", id: "one" });
    expect([vault.get(selectItems), vault.readNames.asked.length]).toEqual([[two], 1]);
  });
});

describe("keys of a vault", () => {
  test("keys of a vault are known while the vault exists", async () => {
    const vault = setUp();
    expect([vault.get(selectScreen), vault.get(selectRecipient), vault.get(selectSealed)]).toEqual(["checking", null, null]);
    await vault.load.last().resolve({ vault: sealedVault, items: [one] });
    expect([vault.get(selectRecipient), vault.get(selectSealed)]).toEqual([sealedVault.recipient, sealedVault.sealed]);
    vault.send({ type: "erase.requested" });
    expect([vault.get(selectScreen), vault.get(selectIsAskedToErase)]).toEqual(["locked", true]);
    vault.send({ type: "erase.confirmed" });
    expect([vault.get(selectIsErasing), vault.get(selectIsRecovering), vault.get(selectIsBusy)]).toEqual([true, false, true]);
    await vault.erase.last().resolve();
    expect([vault.get(selectRecipient), vault.get(selectSealed), vault.get(selectItems)]).toEqual([null, null, []]);
  });

  test("keys of a vault are cleared during the check, without a vault, and at each lock", async () => {
    const vault = setUp();
    expect(vault.cleared()).toBe(1);
    await vault.load.last().resolve({ vault: sealedVault, items: [] });
    expect(vault.cleared()).toBe(2);
    vault.send({ type: "erase.requested" });
    vault.send({ type: "erase.confirmed" });
    await vault.erase.last().resolve();
    expect([vault.get(selectScreen), vault.cleared()]).toEqual(["none", 3]);
  });

  test("keys of a vault are sealed with another passphrase, which is emitted once", async () => {
    const vault = await resting([one]);
    vault.send({ type: "passphrase.chosen" });
    expect([vault.get(selectIsBusy), vault.get(selectIsOpen), vault.reseal.inputs()]).toEqual([
      true,
      true,
      [{ vault: sealedVault }],
    ]);
    await vault.reseal.last().resolve({ ...sealedVault, sealed: "other", revision: 1 });
    expect([vault.get(selectSealed), vault.get(selectItems), vault.emitted]).toEqual(["other", [one], ["passphrase.changed"]]);
    expect(vault.readNames.asked).toHaveLength(2);
  });

  test("keys of a vault show why sealing failed after a recovery, and ask again", async () => {
    const vault = await recovered();
    vault.send({ type: "passphrase.chosen" });
    await vault.reseal.last().reject("network");
    expect([vault.get(selectScreen), vault.get(selectIsBusy), vault.get(selectFailure)]).toEqual(["renewing", false, "network"]);
    vault.send({ type: "passphrase.chosen" });
    expect([vault.get(selectFailure), vault.reseal.inputs()]).toEqual([null, [{ vault: sealedVault }, { vault: sealedVault }]]);
    await vault.reseal.last().resolve({ ...sealedVault, sealed: "other" });
    expect([vault.get(selectSealed), vault.get(selectScreen)]).toEqual(["other", "open"]);
  });
});

describe("failures of the vault", () => {
  test("a failure of the vault is shown during the check until the next failure", async () => {
    const vault = setUp();
    await vault.load.last().reject("network");
    expect([vault.get(selectScreen), vault.get(selectFailure)]).toEqual(["failed", "network"]);
    vault.send({ type: "reload.requested" });
    expect([vault.get(selectScreen), vault.get(selectFailure)]).toEqual(["checking", null]);
  });

  test("failures of the vault leave no vault during creation, until the next try", async () => {
    const vault = setUp();
    await vault.load.last().resolve({ vault: null, items: [] });
    vault.send({ type: "create.requested" });
    await vault.create.last().reject("cryptoUnavailable");
    expect([vault.get(selectScreen), vault.get(selectIsBusy), vault.get(selectFailure)]).toEqual([
      "none",
      false,
      "cryptoUnavailable",
    ]);
    vault.send({ type: "create.requested" });
    expect(vault.get(selectFailure)).toBeNull();
  });

  test.each([
    ["recover.requested", "recover"],
    ["erase.confirmed", "erase"],
  ] as const)("failures of the vault leave it locked at %s until the next try", async (type, call) => {
    const vault = await locked([one]);
    const begin = () => {
      if (call === "erase") vault.send({ type: "erase.requested" });
      vault.send({ type });
    };
    begin();
    expect([vault.get(selectIsBusy), vault.get(selectIsRecovering)]).toEqual([true, call === "recover"]);
    await vault[call].last().reject("wrongKey");
    expect([vault.get(selectScreen), vault.get(selectIsBusy), vault.get(selectFailure), vault.get(selectItems)]).toEqual([
      "locked",
      false,
      "wrongKey",
      [one],
    ]);
    begin();
    expect(vault.get(selectFailure)).toBeNull();
  });

  test("failures of the vault leave it open when names or the server can't be read", async () => {
    const vault = await locked([one]);
    vault.send({ type: "unlock.requested" });
    await vault.unlock.last().resolve();
    await vault.readNames.last().reject("damaged");
    vault.send({ type: "reload.requested" });
    expect([vault.load.asked.length, vault.get(selectIsOpen)]).toEqual([2, true]);
    await vault.load.last().reject("network");
    expect([vault.get(selectScreen), vault.get(selectItems)]).toEqual(["open", [one]]);
  });
});

describe("check of the vault on the server", () => {
  test("takes the items of the same vault and reads their names", async () => {
    const vault = await resting([one]);
    vault.send({ type: "reload.requested" });
    await vault.load.last().resolve({ vault: sealedVault, items: [one, two] });
    expect([vault.get(selectScreen), vault.readNames.last().input.items]).toEqual(["open", [one, two]]);
  });

  test("closes the vault if it no longer exists", async () => {
    const vault = await resting([one]);
    vault.send({ type: "reload.requested" });
    await vault.load.last().resolve({ vault: null, items: [] });
    expect([vault.get(selectScreen), vault.emitted]).toEqual(["checking", ["vault.locked"]]);
  });
});

test.each([
  ["lock.requested", "person"],
  ["vault.lockedElsewhere", "elsewhere"],
] as const)("knows after %s who locked the vault, and stops watching for activity", async (type, by) => {
  const vault = await resting();
  expect([vault.get(selectLockedBy), vault.presence.running()]).toEqual([null, 1]);
  vault.send({ type });
  expect([vault.get(selectLockedBy), vault.presence.running(), vault.get(selectIsOpen)]).toEqual([by, 0, false]);
});

test("keeps keys and existing items of a vault that was just created", async () => {
  const vault = setUp();
  await vault.load.last().resolve({ vault: null, items: [] });
  vault.send({ type: "create.requested" });
  await vault.create.last().resolve();
  vault.send({ type: "recoveryKey.confirmed" });
  await vault.store.last().resolve(sealedVault);
  expect([vault.get(selectRecipient), vault.get(selectSealed), vault.get(selectIsOpen)]).toEqual([
    sealedVault.recipient,
    sealedVault.sealed,
    true,
  ]);
});
