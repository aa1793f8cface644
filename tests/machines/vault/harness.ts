import { createActor, SimulatedClock } from "xstate";
import type { Vault, VaultAnswer, VaultItem } from "#contract/index.ts";
import type { VaultEvent } from "#machines/vault/events.ts";
import { vaultMachine } from "#machines/vault/machine.ts";
import { selectScreen } from "#machines/vault/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const armored = (text: string) => `-----BEGIN AGE ENCRYPTED FILE-----\n${btoa(text)}\n-----END AGE ENCRYPTED FILE-----\n`;

export const sealedVault: Vault = {
  recipient: `age1${"q".repeat(58)}`,
  sealed: armored("sealed"),
  recoverySealed: armored("sealed for recovery"),
  revision: 0,
};

export function sealedItem(id: string, parts: Partial<VaultItem> = {}): VaultItem {
  return {
    id,
    clientId: `client-${id}`,
    size: 1000,
    received: 1000,
    arrivedAt: "2026-11-20T10:00:00.000Z",
    transcriptionId: null,
    meta: armored(`name of ${id}`),
    hasText: false,
    ...parts,
  };
}

/** The machine of a vault, which requests its content. */
export function setUp() {
  const clock = new SimulatedClock();
  const calls = {
    load: answering<VaultAnswer>(),
    create: answering<void>(),
    store: answering<Vault>(),
    unlock: answering<void, { vault: Vault | null }>(),
    recover: answering<void, { vault: Vault | null }>(),
    reseal: answering<Vault, { vault: Vault | null }>(),
    readNames: answering<void, { items: readonly VaultItem[] }>(),
    erase: answering<void>(),
    copyRecoveryKey: answering<void>(),
  };
  const presence = talking<VaultEvent, VaultEvent>();
  const emitted: string[] = [];
  let cleared = 0;
  let slept = 0;
  const { load, create, store, unlock, recover, reseal, readNames, erase, copyRecoveryKey } = calls;
  const machine = vaultMachine.provide({
    actors: {
      load: load.logic,
      create: create.logic,
      store: store.logic,
      unlock: unlock.logic,
      recover: recover.logic,
      reseal: reseal.logic,
      readNames: readNames.logic,
      erase: erase.logic,
      copyRecoveryKey: copyRecoveryKey.logic,
      presence: presence.logic,
    },
    actions: {
      clearKeys: () => {
        cleared += 1;
      },
    },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { now: () => clock.now() + slept } }));
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  return {
    ...calls,
    actor,
    clock,
    presence,
    emitted,
    cleared: () => cleared,
    /** Advances the clock by ms without running timers. */
    sleep: (ms: number) => {
      slept += ms;
    },
    send: actor.send.bind(actor),
    screen: () => selectScreen(actor.getSnapshot()),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
  };
}

export async function locked(items: readonly VaultItem[] = []) {
  const vault = setUp();
  await vault.load.last().resolve({ vault: sealedVault, items: [...items] });
  return vault;
}
