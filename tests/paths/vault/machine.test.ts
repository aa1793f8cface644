import { createActor } from "xstate";
import type { Vault, VaultAnswer, VaultItem } from "#contract/index.ts";
import type { VaultEvent } from "#machines/vault/events.ts";
import { vaultMachine } from "#machines/vault/machine.ts";
import { idleLimit } from "#machines/vault/rules.ts";
import { selectIsOpen, selectScreen } from "#machines/vault/selectors.ts";
import { sealedItem, sealedVault } from "#tests/machines/vault/rig.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const item = sealedItem("one");

function prepare(stage: Stage) {
  const calls = {
    load: stage.asking<VaultAnswer>(),
    create: stage.asking<void>(),
    store: stage.asking<Vault>(),
    unlock: stage.asking<void, { vault: Vault | null }>(),
    recover: stage.asking<void, { vault: Vault | null }>(),
    reseal: stage.asking<Vault, { vault: Vault | null }>(),
    readNames: stage.asking<void, { items: readonly VaultItem[] }>(),
    erase: stage.asking<void>(),
  };
  const presence = stage.callback<VaultEvent>();
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
        presence: presence.logic,
      },
      actions: {
        clearKeys: () => {
          held = false;
        },
      },
    });
    const world = { slept: 0 };
    const now = () => clock.now() + world.slept;
    const actor = createActor(machine, { clock, inspect, input: { now } });
    actor.on("vault.locked", () => {
      locks += 1;
    });
    actor.subscribe((snapshot) => {
      if (["creating", "unlocking", "recovering"].some((state) => snapshot.value === state)) held = true;
    });
    return { actor, ...calls, presence, world, now, held: () => held, locks: () => locks };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const answer = (vault: Vault | null): VaultAnswer => ({ vault, items: vault === null ? [] : [item] });
const screen = ({ actor }: Rig) => selectScreen(actor.getSnapshot());
const context = ({ actor }: Rig) => actor.getSnapshot().context;
const nothing = () => undefined;
const resumed = said<Rig, VaultEvent, VaultEvent, unknown>(
  { type: "page.resumed" },
  ({ presence }) => presence,
  "it slept for a moment",
);

walkTests<Rig>({
  machine: vaultMachine,
  prepare,
  moves: [
    answered(
      "there is a vault",
      ({ load }: Rig) => load,
      () => answer(sealedVault),
    ),
    answered(
      "there is none",
      ({ load }: Rig) => load,
      () => answer(null),
    ),
    refused("nobody answers", ({ load }: Rig) => load, failure("network")),
    sent({ type: "reload.requested" }),
    sent({ type: "create.requested" }),
    answered("the keys are made", ({ create }: Rig) => create, nothing),
    refused("the keys can't be made", ({ create }: Rig) => create, failure("network")),
    sent({ type: "recoveryKey.confirmed" }),
    sent({ type: "cancel.requested" }),
    answered(
      "the server has the vault",
      ({ store }: Rig) => store,
      () => sealedVault,
    ),
    refused("another tab was first", ({ store }: Rig) => store, failure("conflict")),
    refused("it can't be stored", ({ store }: Rig) => store, failure("network")),
    sent({ type: "unlock.requested" }),
    answered("the passphrase is right", ({ unlock }: Rig) => unlock, nothing),
    refused("the passphrase is wrong", ({ unlock }: Rig) => unlock, failure("wrongPassphrase")),
    sent({ type: "recover.requested" }),
    answered("the recovery key is right", ({ recover }: Rig) => recover, nothing),
    refused("the recovery key is wrong", ({ recover }: Rig) => recover, failure("wrongRecoveryKey")),
    sent({ type: "passphrase.chosen" }),
    answered(
      "it has another passphrase",
      ({ reseal }: Rig) => reseal,
      () => ({ ...sealedVault, revision: 1 }),
    ),
    refused("it keeps its passphrase", ({ reseal }: Rig) => reseal, failure("wrongPassphrase")),
    answered("the names are read", ({ readNames }: Rig) => readNames, nothing),
    refused("the names can't be read", ({ readNames }: Rig) => readNames, failure("locked")),
    sent({ type: "lock.requested" }),
    sent({ type: "erase.requested" }),
    sent({ type: "erase.confirmed" }),
    sent({ type: "erase.cancelled" }),
    answered("everything is deleted", ({ erase }: Rig) => erase, nothing),
    refused("nothing is deleted", ({ erase }: Rig) => erase, failure("network")),
    said({ type: "presence.noted" }, ({ presence }: Rig) => presence),
    said({ type: "vault.lockedElsewhere" }, ({ presence }: Rig) => presence),
    resumed,
    {
      ...resumed,
      name: "it slept for long",
      happen: (rig, clock) => {
        rig.world.slept += idleLimit;
        resumed.happen(rig, clock);
      },
    },
    sent({ type: "item.added", item }),
    sent({ type: "item.changed", item }),
    sent({ type: "item.removed", id: item.id }),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { vault, items, failure: why, lockedBy, seenAt } = context(rig);
    return [vault === null, items.length, why, lockedBy, rig.now() - seenAt >= idleLimit];
  },
  rules: {
    "a key is held only while it is needed": (rig) =>
      !rig.held() || !["locked", "none", "failed"].includes(screen(rig)) || !isResting(rig),
    "an open vault is one that the server has": (rig) => !selectIsOpen(rig.actor.getSnapshot()) || context(rig).vault !== null,
    "whoever is away is noticed exactly while it is open": (rig) =>
      rig.presence.running() === (rig.actor.getSnapshot().matches("open") ? 1 : 0),
    "an open vault locks itself within fifteen minutes": (rig, clock) =>
      !rig.actor.getSnapshot().matches("open") || (clock.untilNext() ?? Number.NaN) <= idleLimit,
    "nothing else has a timer": (rig, clock) => rig.actor.getSnapshot().matches("open") || clock.untilNext() === undefined,
    "one thing is done with keys at a time": (rig) =>
      [rig.create, rig.store, rig.unlock, rig.recover, rig.reseal, rig.erase].filter((call) => call.open().length > 0).length <=
      1,
    "after a recovery nothing is read before there is a passphrase again": (rig) =>
      screen(rig) !== "renewing" || rig.readNames.open().length === 0,
    "nothing is stored before the recovery key is kept": (rig) => rig.store.open().length === 0 || screen(rig) === "recoveryKey",
  },
});

/** No key is being made or tried. */
function isResting({ create, unlock, recover }: Rig): boolean {
  return [create, unlock, recover].every((call) => call.open().length === 0);
}
