import { createActor } from "xstate";
import type { Vault, VaultAnswer, VaultItem } from "#contract/index.ts";
import type { VaultEvent } from "#machines/vault/events.ts";
import { vaultMachine } from "#machines/vault/machine.ts";
import { idleLimit } from "#machines/vault/rules.ts";
import { selectIsOpen, selectScreen } from "#machines/vault/selectors.ts";
import { sealedItem, sealedVault } from "#tests/machines/vault/harness.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const item = sealedItem("one");

function prepare(stubs: Stubs) {
  const calls = {
    load: stubs.asking<VaultAnswer>(),
    create: stubs.asking<void>(),
    store: stubs.asking<Vault>(),
    unlock: stubs.asking<void, { vault: Vault | null }>(),
    recover: stubs.asking<void, { vault: Vault | null }>(),
    reseal: stubs.asking<Vault, { vault: Vault | null }>(),
    readNames: stubs.asking<void, { items: readonly VaultItem[] }>(),
    erase: stubs.asking<void>(),
    copyRecoveryKey: stubs.asking<void>(),
  };
  const presence = stubs.callback<VaultEvent>();
  return ({ clock, inspect }: RunOptions) => {
    let held = false;
    let locks = 0;
    const machine = vaultMachine.provide({
      actors: {
        load: calls.load.logic,
        create: calls.create.logic,
        store: calls.store.logic,
        unlock: calls.unlock.logic,
        recover: calls.recover.logic,
        reseal: calls.reseal.logic,
        readNames: calls.readNames.logic,
        erase: calls.erase.logic,
        copyRecoveryKey: calls.copyRecoveryKey.logic,
        presence: presence.logic,
      },
      actions: {
        clearKeys: () => {
          held = false;
        },
      },
    });
    const environment = { slept: 0 };
    const now = () => clock.now() + environment.slept;
    const actor = createActor(machine, { clock, inspect, input: { now } });
    actor.on("vault.locked", () => {
      locks += 1;
    });
    actor.subscribe((snapshot) => {
      if (["creating", "unlocking", "recovering"].some((state) => snapshot.value === state)) held = true;
    });
    return { actor, ...calls, presence, environment, now, held: () => held, locks: () => locks };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const answer = (vault: Vault | null): VaultAnswer => ({ vault, items: vault === null ? [] : [item] });
const screen = ({ actor }: Harness) => selectScreen(actor.getSnapshot());
const context = ({ actor }: Harness) => actor.getSnapshot().context;
const nothing = () => undefined;
const resumed = said<Harness, VaultEvent, VaultEvent, unknown>(
  { type: "page.resumed" },
  ({ presence }) => presence,
  "it slept for a moment",
);

walkTests<Harness>({
  machine: vaultMachine,
  prepare,
  moves: [
    answered(
      "there is a vault",
      ({ load }: Harness) => load,
      () => answer(sealedVault),
    ),
    answered(
      "there is none",
      ({ load }: Harness) => load,
      () => answer(null),
    ),
    refused("nobody answers", ({ load }: Harness) => load, failure("network")),
    sent({ type: "reload.requested" }),
    sent({ type: "create.requested" }),
    answered("the keys are made", ({ create }: Harness) => create, nothing),
    refused("the keys can't be made", ({ create }: Harness) => create, failure("network")),
    sent({ type: "copy.requested" }),
    answered("the recovery key is copied", ({ copyRecoveryKey }: Harness) => copyRecoveryKey, nothing),
    refused("the recovery key can't be copied", ({ copyRecoveryKey }: Harness) => copyRecoveryKey, failure("internal")),
    sent({ type: "recoveryKey.confirmed" }),
    sent({ type: "cancel.requested" }),
    answered(
      "the server has the vault",
      ({ store }: Harness) => store,
      () => sealedVault,
    ),
    refused("another tab was first", ({ store }: Harness) => store, failure("conflict")),
    refused("it can't be stored", ({ store }: Harness) => store, failure("network")),
    sent({ type: "unlock.requested" }),
    answered("the passphrase is right", ({ unlock }: Harness) => unlock, nothing),
    refused("the passphrase is wrong", ({ unlock }: Harness) => unlock, failure("wrongPassphrase")),
    sent({ type: "recover.requested" }),
    answered("the recovery key is right", ({ recover }: Harness) => recover, nothing),
    refused("the recovery key is wrong", ({ recover }: Harness) => recover, failure("wrongRecoveryKey")),
    sent({ type: "passphrase.chosen" }),
    answered(
      "it has another passphrase",
      ({ reseal }: Harness) => reseal,
      () => ({ ...sealedVault, revision: 1 }),
    ),
    refused("it keeps its passphrase", ({ reseal }: Harness) => reseal, failure("wrongPassphrase")),
    answered("the names are read", ({ readNames }: Harness) => readNames, nothing),
    refused("the names can't be read", ({ readNames }: Harness) => readNames, failure("locked")),
    sent({ type: "lock.requested" }),
    sent({ type: "erase.requested" }),
    sent({ type: "erase.confirmed" }),
    sent({ type: "erase.cancelled" }),
    answered("everything is deleted", ({ erase }: Harness) => erase, nothing),
    refused("nothing is deleted", ({ erase }: Harness) => erase, failure("network")),
    said({ type: "presence.noted" }, ({ presence }: Harness) => presence),
    said({ type: "vault.lockedElsewhere" }, ({ presence }: Harness) => presence),
    resumed,
    {
      ...resumed,
      name: "it slept for long",
      happen: (harness, clock) => {
        harness.environment.slept += idleLimit;
        resumed.happen(harness, clock);
      },
    },
    sent({ type: "item.added", item }),
    sent({ type: "item.changed", item }),
    sent({ type: "item.removed", id: item.id }),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { vault, items, failure: why, lockedBy, seenAt } = context(harness);
    return [vault === null, items.length, why, lockedBy, harness.now() - seenAt >= idleLimit];
  },
  rules: {
    "a key is held only while it is needed": (harness) =>
      !harness.held() || !["locked", "none", "failed"].includes(screen(harness)) || !isResting(harness),
    "an open vault is one that the server has": (harness) =>
      !selectIsOpen(harness.actor.getSnapshot()) || context(harness).vault !== null,
    "whoever is away is noticed exactly while it is open": (harness) =>
      harness.presence.running() === (harness.actor.getSnapshot().matches("open") ? 1 : 0),
    "an open vault locks itself within fifteen minutes": (harness, clock) =>
      !harness.actor.getSnapshot().matches("open") || (clock.untilNext() ?? Number.NaN) <= idleLimit,
    "nothing else has a timer": (harness, clock) =>
      harness.actor.getSnapshot().matches("open") || clock.untilNext() === undefined,
    "one thing is done with keys at a time": (harness) =>
      [harness.create, harness.store, harness.unlock, harness.recover, harness.reseal, harness.erase].filter(
        (call) => call.open().length > 0,
      ).length <= 1,
    "after a recovery nothing is read before there is a passphrase again": (harness) =>
      screen(harness) !== "renewing" || harness.readNames.open().length === 0,
    "nothing is stored before the recovery key is kept": (harness) =>
      harness.store.open().length === 0 || screen(harness) === "recoveryKey",
  },
});

/** No key is being created or checked. */
function isResting({ create, unlock, recover }: Harness): boolean {
  return [create, unlock, recover].every((call) => call.open().length === 0);
}
