import { describe, expect, test } from "vitest";
import type { VaultItem } from "#contract/index.ts";
import { selectCopied } from "#machines/collection/shown-once.ts";
import { idleLimit } from "#machines/vault/rules.ts";
import { selectFailure, selectIsBusy, selectItems, selectLockedBy } from "#machines/vault/selectors.ts";
import { tick } from "#tests/machines/harness.ts";
import { locked, sealedItem, sealedVault, setUp } from "./harness.ts";

const minute = 60_000;

async function open(items: readonly VaultItem[] = []) {
  const vault = await locked(items);
  vault.send({ type: "unlock.requested" });
  await vault.unlock.last().resolve();
  return vault;
}

describe("creation of a vault", () => {
  test("shows the recovery key, and sends the server nothing before it is saved", async () => {
    const vault = setUp();
    await vault.load.last().resolve({ vault: null, items: [] });
    expect(vault.screen()).toBe("none");
    vault.send({ type: "create.requested" });
    expect(vault.get(selectIsBusy)).toBe(true);
    await vault.create.last().resolve();
    expect([vault.screen(), vault.store.asked.length]).toEqual(["recoveryKey", 0]);
    vault.send({ type: "recoveryKey.confirmed" });
    await vault.store.last().resolve(sealedVault);
    expect(vault.screen()).toBe("open");
  });

  test("shows whether the recovery key was copied", async () => {
    const vault = setUp();
    await vault.load.last().resolve({ vault: null, items: [] });
    vault.send({ type: "create.requested" });
    await vault.create.last().resolve();
    expect(vault.get(selectCopied)).toBeNull();
    vault.send({ type: "copy.requested" });
    await vault.copyRecoveryKey.last().reject("internal");
    expect([vault.screen(), vault.get(selectCopied)]).toEqual(["recoveryKey", "notCopied"]);
    vault.send({ type: "copy.requested" });
    await vault.copyRecoveryKey.last().resolve();
    expect([vault.screen(), vault.get(selectCopied)]).toEqual(["recoveryKey", "copied"]);
  });

  test("shows the same key again when storing fails, and clears it when canceled", async () => {
    const vault = setUp();
    await vault.load.last().resolve({ vault: null, items: [] });
    vault.send({ type: "create.requested" });
    await vault.create.last().resolve();
    vault.send({ type: "recoveryKey.confirmed" });
    await vault.store.last().reject("network");
    expect([vault.screen(), vault.get(selectFailure)]).toEqual(["recoveryKey", "network"]);
    const before = vault.cleared();
    vault.send({ type: "cancel.requested" });
    expect([vault.screen(), vault.cleared()]).toEqual(["none", before + 1]);
  });

  test("uses the vault that another tab has created meanwhile", async () => {
    const vault = setUp();
    await vault.load.last().resolve({ vault: null, items: [] });
    vault.send({ type: "create.requested" });
    await vault.create.last().resolve();
    vault.send({ type: "recoveryKey.confirmed" });
    await vault.store.last().reject("conflict");
    expect(vault.screen()).toBe("checking");
    await vault.load.last().resolve({ vault: sealedVault, items: [] });
    expect(vault.screen()).toBe("locked");
  });
});

describe("opening of a vault", () => {
  test("reports a wrong passphrase, and opens with the right one and reads the names", async () => {
    const vault = await locked([sealedItem("one")]);
    vault.send({ type: "unlock.requested" });
    await vault.unlock.last().reject("wrongPassphrase");
    expect([vault.screen(), vault.get(selectFailure)]).toEqual(["locked", "wrongPassphrase"]);
    vault.send({ type: "unlock.requested" });
    expect(vault.get(selectFailure)).toBeNull();
    await vault.unlock.last().resolve();
    expect([vault.screen(), vault.readNames.inputs()]).toEqual(["open", [{ items: [sealedItem("one")] }]]);
  });

  test("asks for a new passphrase after the recovery key, before anything is read", async () => {
    const vault = await locked([sealedItem("one")]);
    vault.send({ type: "recover.requested" });
    await vault.recover.last().resolve();
    expect([vault.screen(), vault.readNames.asked.length]).toEqual(["renewing", 0]);
    vault.send({ type: "passphrase.chosen" });
    await vault.reseal.last().resolve({ ...sealedVault, revision: 1 });
    expect([vault.screen(), vault.emitted]).toEqual(["open", ["passphrase.changed"]]);
  });
});

describe("automatic locking of a vault", () => {
  test("the vault locks after fifteen minutes without activity", async () => {
    const vault = await open();
    vault.clock.increment(14 * minute);
    vault.presence.say({ type: "presence.noted" });
    vault.clock.increment(14 * minute);
    expect(vault.screen()).toBe("open");
    const before = vault.cleared();
    vault.clock.increment(1 * minute);
    expect([vault.screen(), vault.get(selectLockedBy), vault.emitted]).toEqual(["locked", "idle", ["vault.locked"]]);
    expect(vault.cleared()).toBe(before + 1);
  });

  test("the vault locks after a sleep of fifteen minutes, in which no timer ran", async () => {
    const vault = await open();
    vault.presence.say({ type: "presence.noted" });
    vault.sleep(idleLimit - 1);
    vault.presence.say({ type: "page.resumed" });
    expect(vault.screen()).toBe("open");
    vault.sleep(1);
    vault.presence.say({ type: "page.resumed" });
    expect(vault.screen()).toBe("locked");
  });

  test("the vault counts the minutes from the last activity, not from the opening", async () => {
    const vault = await open();
    vault.clock.increment(10 * minute);
    vault.presence.say({ type: "presence.noted" });
    vault.sleep(14 * minute);
    vault.presence.say({ type: "page.resumed" });
    expect(vault.screen()).toBe("open");
    vault.sleep(minute);
    vault.presence.say({ type: "page.resumed" });
    expect(vault.screen()).toBe("locked");
  });

  test("the vault locks by the button and when another tab locks it", async () => {
    for (const type of ["lock.requested", "vault.lockedElsewhere"] as const) {
      const vault = await open();
      vault.send({ type });
      expect([vault.screen(), vault.emitted]).toEqual(["locked", ["vault.locked"]]);
    }
  });

  test("the vault locks while a new passphrase is set after a recovery", async () => {
    const vault = await locked();
    vault.send({ type: "recover.requested" });
    await vault.recover.last().resolve();
    vault.clock.increment(15 * minute);
    expect(vault.screen()).toBe("locked");
  });
});

describe("items of a vault", () => {
  test("items of a vault appear and disappear, even while it is locked", async () => {
    const vault = await locked([sealedItem("one")]);
    vault.send({ type: "item.added", item: sealedItem("two") });
    vault.send({ type: "item.removed", id: "one" });
    expect(vault.get(selectItems).map(({ id }) => id)).toEqual(["two"]);
  });

  test("items of a vault are read again when they are new or renamed", async () => {
    const vault = await open([sealedItem("one")]);
    await vault.readNames.last().resolve();
    const renamed = sealedItem("one", { hasText: true });
    vault.send({ type: "item.changed", item: renamed });
    expect(vault.readNames.last().input).toEqual({ items: [renamed] });
    vault.send({ type: "item.added", item: sealedItem("two") });
    expect(vault.readNames.last().input.items.map(({ id }) => id)).toEqual(["two", "one"]);
  });

  test("items of a vault stay when the current passphrase was wrong", async () => {
    const vault = await open();
    await vault.readNames.last().resolve();
    vault.send({ type: "passphrase.chosen" });
    await vault.reseal.last().reject("wrongPassphrase");
    expect([vault.screen(), vault.get(selectFailure), vault.emitted]).toEqual(["open", "wrongPassphrase", []]);
  });

  test("items of a vault are deleted with the vault", async () => {
    const vault = await locked([sealedItem("one")]);
    vault.send({ type: "erase.requested" });
    vault.send({ type: "erase.cancelled" });
    vault.send({ type: "erase.confirmed" });
    expect(vault.erase.asked).toEqual([]);
    vault.send({ type: "erase.requested" });
    vault.send({ type: "erase.confirmed" });
    await vault.erase.last().resolve();
    await tick();
    expect([vault.screen(), vault.get(selectItems)]).toEqual(["none", []]);
  });

  test("items of a vault belong to another vault when it was recreated on another device", async () => {
    const vault = await open();
    await vault.readNames.last().resolve();
    vault.send({ type: "reload.requested" });
    await vault.load.last().resolve({ vault: { ...sealedVault, recipient: `age1${"p".repeat(58)}` }, items: [] });
    expect([vault.screen(), vault.emitted]).toEqual(["checking", ["vault.locked"]]);
  });
});
