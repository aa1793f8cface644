import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { Vault, VaultAnswer } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { VaultContext, VaultEmitted, VaultEvent, VaultInput, VaultTag } from "./events.ts";
import { idleLimit, itemChanges } from "./rules.ts";

/**
 * The vault of encrypted audio: whether it exists, and whether it is unlocked in this tab. Passphrases, keys and names
 * are only in the machine's actors.
 */
export const vaultMachine = setup({
  types: {
    context: {} as VaultContext,
    events: {} as VaultEvent,
    emitted: {} as VaultEmitted,
    input: {} as VaultInput,
    tags: {} as VaultTag,
  },
  actors: {
    load: fromPromise<VaultAnswer>(async () => notProvided("load")),
    /** Creates the keys; nothing leaves the page. */
    create: fromPromise<void>(async () => notProvided("create")),
    /** Sends the public key and the encrypted keys to the server. */
    store: fromPromise<Vault>(async () => notProvided("store")),
    unlock: fromPromise<void, { vault: Vault | null }>(async () => notProvided("unlock")),
    recover: fromPromise<void, { vault: Vault | null }>(async () => notProvided("recover")),
    /**
     * Encrypts the identity with another passphrase. It checks the current one first, unless the vault was recovered.
     */
    reseal: fromPromise<Vault, { vault: Vault | null }>(async () => notProvided("reseal")),
    /** Decrypts the names of its items. */
    readNames: fromPromise<void, Pick<VaultContext, "items">>(async () => notProvided("readNames")),
    erase: fromPromise<void>(async () => notProvided("erase")),
    /** Rejects when the browser refuses to copy. */
    copyRecoveryKey: fromPromise<void>(async () => notProvided("copyRecoveryKey")),
    /** Reports user activity, in this or another tab. */
    presence: fromCallback<VaultEvent>(() => notProvided("presence")),
  },
  actions: {
    /** Removes the key from this tab. */
    clearKeys: () => notProvided("clearKeys"),
    assignAnswer: assign((_, { vault, items }: VaultAnswer) => ({ vault, items })),
    assignVault: assign({ vault: (_, vault: Vault) => vault, items: ({ context }) => context.items }),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    clearFailure: assign({ failure: null }),
    noteLock: assign({ lockedBy: (_, { by }: { by: VaultContext["lockedBy"] }) => by }),
    notePresence: assign({ seenAt: ({ context }) => context.now() }),
    changeItems: assign(({ context, event }) => ({ items: itemChanges(context.items, event) })),
    emitLocked: emit({ type: "vault.locked" }),
    emitChanged: emit({ type: "passphrase.changed" }),
    empty: assign({ vault: null, items: [] }),
  },
  guards: {
    hasVault: (_, { vault }: VaultAnswer) => vault !== null,
    isSame: ({ context }, { vault }: VaultAnswer) => vault !== null && vault.recipient === context.vault?.recipient,
    isTaken: (_, { error }: Failed) => codeOf(error) === "conflict",
    wasIdle: ({ context: { now, seenAt } }) => now() - seenAt >= idleLimit,
  },
  delays: { idleLimit },
}).createMachine({
  id: "vault",
  context: ({ input: { now } }) => ({ now, vault: null, items: [], failure: null, lockedBy: null, seenAt: 0 }),
  initial: "checking",
  on: { "item.added": { actions: "changeItems" } },
  states: {
    checking: {
      tags: "checking",
      entry: "clearKeys",
      invoke: {
        src: "load",
        onDone: [
          { guard: withOutput("hasVault"), target: "locked", actions: withOutput("assignAnswer") },
          { target: "none", actions: withOutput("assignAnswer") },
        ],
        onError: { target: "failed", actions: withEvent("rememberFailure") },
      },
    },
    failed: { tags: "failed", on: { "reload.requested": { target: "checking", actions: "clearFailure" } } },
    none: { tags: "none", entry: "clearKeys", on: { "create.requested": { target: "creating", actions: "clearFailure" } } },
    creating: {
      tags: ["none", "busy"],
      invoke: { src: "create", onDone: "showingRecoveryKey", onError: { target: "none", actions: withEvent("rememberFailure") } },
    },
    showingRecoveryKey: {
      tags: "recoveryKey",
      on: {
        "recoveryKey.confirmed": { target: "storing", actions: "clearFailure" },
        "cancel.requested": "none",
        "copy.requested": ".copying",
      },
      initial: "shown",
      states: {
        shown: {},
        copying: { invoke: { src: "copyRecoveryKey", onDone: "copied", onError: "notCopied" } },
        copied: { tags: "copied" },
        notCopied: { tags: "notCopied" },
      },
    },
    storing: {
      tags: ["recoveryKey", "busy"],
      invoke: {
        src: "store",
        onDone: { target: "open.work.reading", actions: withOutput("assignVault") },
        onError: [
          // Another tab was first, and its keys are valid.
          { guard: withEvent("isTaken"), target: "checking" },
          { target: "showingRecoveryKey", actions: withEvent("rememberFailure") },
        ],
      },
    },
    locked: {
      tags: "locked",
      entry: "clearKeys",
      on: {
        "unlock.requested": { target: "unlocking", actions: "clearFailure" },
        "recover.requested": { target: "recovering", actions: "clearFailure" },
        "reload.requested": { target: "checking", actions: "clearFailure" },
        "item.changed": { actions: "changeItems" },
        "item.removed": { actions: "changeItems" },
      },
      initial: "resting",
      states: {
        resting: { on: { "erase.requested": "asking" } },
        /** The person must confirm the deletion of the vault. */
        asking: {
          on: { "erase.confirmed": { target: "#vault.erasing", actions: "clearFailure" }, "erase.cancelled": "resting" },
        },
      },
    },
    unlocking: {
      tags: ["locked", "busy"],
      invoke: {
        src: "unlock",
        input: ({ context }) => ({ vault: context.vault }),
        onDone: "open.work.reading",
        onError: { target: "locked", actions: withEvent("rememberFailure") },
      },
    },
    recovering: {
      tags: ["locked", "busy"],
      invoke: {
        src: "recover",
        input: ({ context }) => ({ vault: context.vault }),
        onDone: "open.work.recovered",
        onError: { target: "locked", actions: withEvent("rememberFailure") },
      },
    },
    open: {
      type: "parallel",
      invoke: { src: "presence" },
      on: {
        "lock.requested": { target: "locked", actions: { type: "noteLock", params: { by: "person" } } },
        "vault.lockedElsewhere": { target: "locked", actions: { type: "noteLock", params: { by: "elsewhere" } } },
      },
      exit: "emitLocked",
      states: {
        watch: {
          initial: "waiting",
          states: {
            waiting: {
              after: { idleLimit: { target: "#vault.locked", actions: { type: "noteLock", params: { by: "idle" } } } },
              on: {
                "presence.noted": { target: "waiting", reenter: true, actions: "notePresence" },
                // The device slept, and no timer ran in that time.
                "page.resumed": {
                  guard: "wasIdle",
                  target: "#vault.locked",
                  actions: { type: "noteLock", params: { by: "idle" } },
                },
              },
            },
          },
        },
        work: {
          initial: "reading",
          on: {
            "item.added": { target: ".reading", actions: "changeItems" },
            "item.changed": { target: ".reading", actions: "changeItems" },
            "item.removed": { actions: "changeItems" },
          },
          states: {
            reading: {
              tags: "open",
              invoke: {
                src: "readNames",
                input: ({ context }) => ({ items: context.items }),
                onDone: "resting",
                onError: "resting",
              },
              on: { "passphrase.chosen": { target: "changing", actions: "clearFailure" } },
            },
            resting: {
              tags: "open",
              on: {
                "passphrase.chosen": { target: "changing", actions: "clearFailure" },
                "reload.requested": "refreshing",
              },
            },
            refreshing: {
              tags: "open",
              invoke: {
                src: "load",
                onDone: [
                  { guard: withOutput("isSame"), target: "reading", actions: withOutput("assignAnswer") },
                  // The vault was deleted on another device, and perhaps created again.
                  { target: "#vault.checking" },
                ],
                onError: "resting",
              },
              on: { "passphrase.chosen": { target: "changing", actions: "clearFailure" } },
            },
            changing: {
              tags: ["open", "busy"],
              invoke: {
                src: "reseal",
                input: ({ context }) => ({ vault: context.vault }),
                onDone: { target: "reading", actions: [withOutput("assignVault"), "emitChanged"] },
                onError: { target: "resting", actions: withEvent("rememberFailure") },
              },
            },
            /** The recovery key opened the vault: the person must set a new passphrase first. */
            recovered: {
              tags: "renewing",
              on: {
                "passphrase.chosen": { target: "renewing", actions: "clearFailure" },
                "item.added": { actions: "changeItems" },
                "item.changed": { actions: "changeItems" },
              },
            },
            renewing: {
              tags: ["renewing", "busy"],
              invoke: {
                src: "reseal",
                id: "renew",
                input: ({ context }) => ({ vault: context.vault }),
                onDone: { target: "reading", actions: [withOutput("assignVault"), "emitChanged"] },
                onError: { target: "recovered", actions: withEvent("rememberFailure") },
              },
              on: { "item.added": { actions: "changeItems" }, "item.changed": { actions: "changeItems" } },
            },
          },
        },
      },
    },
    erasing: {
      tags: ["locked", "busy"],
      invoke: {
        src: "erase",
        onDone: { target: "none", actions: "empty" },
        onError: { target: "locked", actions: withEvent("rememberFailure") },
      },
    },
  },
});
