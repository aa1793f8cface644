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

describe("making a vault", () => {
  test("shows the recovery key, and gives the server nothing before it is kept", async () => {
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

  test("says whether the recovery key was copied", async () => {
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

  test("that can't be stored shows the same key again; called off, it is cleared", async () => {
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

  test("while another tab has made one: that one counts", async () => {
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

describe("opening", () => {
  test("a wrong passphrase leaves it locked and says so; the right one opens it and reads the names", async () => {
    const vault = await locked([sealedItem("one")]);
    vault.send({ type: "unlock.requested" });
    await vault.unlock.last().reject("wrongPassphrase");
    expect([vault.screen(), vault.get(selectFailure)]).toEqual(["locked", "wrongPassphrase"]);
    vault.send({ type: "unlock.requested" });
    expect(vault.get(selectFailure)).toBeNull();
    await vault.unlock.last().resolve();
    expect([vault.screen(), vault.readNames.inputs()]).toEqual(["open", [{ items: [sealedItem("one")] }]]);
  });

  test("with the recovery key asks for a new passphrase before anything is read", async () => {
    const vault = await locked([sealedItem("one")]);
    vault.send({ type: "recover.requested" });
    await vault.recover.last().resolve();
    expect([vault.screen(), vault.readNames.asked.length]).toEqual(["renewing", 0]);
    vault.send({ type: "passphrase.chosen" });
    await vault.reseal.last().resolve({ ...sealedVault, revision: 1 });
    expect([vault.screen(), vault.emitted]).toEqual(["open", ["passphrase.changed"]]);
  });
});

describe("an open vault locks itself", () => {
  test("after fifteen minutes in which nobody was there", async () => {
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

  test("when the device slept for as long, in which no timer ran", async () => {
    const vault = await open();
    vault.presence.say({ type: "presence.noted" });
    vault.sleep(idleLimit - 1);
    vault.presence.say({ type: "page.resumed" });
    expect(vault.screen()).toBe("open");
    vault.sleep(1);
    vault.presence.say({ type: "page.resumed" });
    expect(vault.screen()).toBe("locked");
  });

  test("counting from when somebody was there last, not from when it was opened", async () => {
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

  test("with the button, and when another tab does", async () => {
    for (const type of ["lock.requested", "vault.lockedElsewhere"] as const) {
      const vault = await open();
      vault.send({ type });
      expect([vault.screen(), vault.emitted]).toEqual(["locked", ["vault.locked"]]);
    }
  });

  test("also while a new passphrase is being set after a recovery", async () => {
    const vault = await locked();
    vault.send({ type: "recover.requested" });
    await vault.recover.last().resolve();
    vault.clock.increment(15 * minute);
    expect(vault.screen()).toBe("locked");
  });
});

describe("what is in it", () => {
  test("comes and goes, also while it is locked", async () => {
    const vault = await locked([sealedItem("one")]);
    vault.send({ type: "item.added", item: sealedItem("two") });
    vault.send({ type: "item.removed", id: "one" });
    expect(vault.get(selectItems).map(({ id }) => id)).toEqual(["two"]);
  });

  test("is read again when it comes or has another name", async () => {
    const vault = await open([sealedItem("one")]);
    await vault.readNames.last().resolve();
    const renamed = sealedItem("one", { hasText: true });
    vault.send({ type: "item.changed", item: renamed });
    expect(vault.readNames.last().input).toEqual({ items: [renamed] });
    vault.send({ type: "item.added", item: sealedItem("two") });
    expect(vault.readNames.last().input.items.map(({ id }) => id)).toEqual(["two", "one"]);
  });

  test("a wrong present passphrase changes nothing", async () => {
    const vault = await open();
    await vault.readNames.last().resolve();
    vault.send({ type: "passphrase.chosen" });
    await vault.reseal.last().reject("wrongPassphrase");
    expect([vault.screen(), vault.get(selectFailure), vault.emitted]).toEqual(["open", "wrongPassphrase", []]);
  });

  test("is gone with the vault", async () => {
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

  test("made anew on another device is not taken for this one", async () => {
    const vault = await open();
    await vault.readNames.last().resolve();
    vault.send({ type: "reload.requested" });
    await vault.load.last().resolve({ vault: { ...sealedVault, recipient: `age1${"p".repeat(58)}` }, items: [] });
    expect([vault.screen(), vault.emitted]).toEqual(["checking", ["vault.locked"]]);
  });
});
