import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

/** A wanted translation. Languages are two-letter codes. */
export interface TranslationOrder {
  source: string;
  target: string;
  /** Whether translations that are there are replaced; else only passages without one are translated. */
  replaces: boolean;
}

export type VaultTranslationEvent =
  /** The person; asked first, if translations would be replaced. */
  | { type: "translation.requested"; order: TranslationOrder }
  | { type: "replacement.confirmed" }
  | { type: "replacement.cancelled" }
  | { type: "cancel.requested" }
  /** The actor `model`: it is on this device. */
  | { type: "model.arrived" }
  /** The vault: nothing decrypted stays on the page. */
  | { type: "vault.locked" };

/** Emitted to the rest of the page: the text is stored with its translation. */
export interface VaultTranslationEmitted {
  type: "translation.stored";
}

interface VaultTranslationContext {
  order: TranslationOrder;
  /** Why the last attempt failed. */
  failure: string | null;
}

interface Input {
  order: TranslationOrder;
}

const ordered = ({ context: { order } }: { context: VaultTranslationContext }): Input => ({ order });

/** What is translated so far stays for the next attempt. */
const giveUp = { target: "#vaultTranslation.idle", actions: withEvent("rememberFailure") } as const;

/** Translates the text of one recording in the vault on this device. The texts are outside of the machine. */
export const vaultTranslationMachine = setup({
  types: {
    context: {} as VaultTranslationContext,
    events: {} as VaultTranslationEvent,
    emitted: {} as VaultTranslationEmitted,
    tags: {} as VaultTranslationPhase,
  },
  actors: {
    /** Says when the model is on this device: at once, if it is, or if there is none. */
    model: fromCallback<VaultTranslationEvent, Input>(() => notProvided("model")),
    /** Translates the passages. Progress bypasses the machine. */
    translate: fromPromise<void, Input>(async () => notProvided("translate")),
    /** Puts the translations into the text that is stored now, and stores it. */
    store: fromPromise<void, Input>(async () => notProvided("store")),
    /** The browser asks before the page is left: the work would be lost. */
    holdPage: fromCallback(() => notProvided("holdPage")),
  },
  actions: {
    /** Discards the translations. */
    release: () => notProvided("release"),
    assignOrder: assign((_, { order }: Input) => ({ order })),
    rememberFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    clearFailure: assign({ failure: null }),
    emitStored: emit({ type: "translation.stored" }),
  },
  guards: {
    replaces: (_, { order }: Input) => order.replaces,
  },
}).createMachine({
  id: "vaultTranslation",
  context: { order: { source: "", target: "", replaces: false }, failure: null },
  initial: "idle",
  on: { "vault.locked": { target: ".idle", actions: ["release", "clearFailure"] } },
  states: {
    idle: {
      on: {
        "translation.requested": [
          { guard: withEvent("replaces"), target: "asking", actions: withEvent("assignOrder") },
          { target: "making", actions: withEvent("assignOrder") },
        ],
      },
    },
    asking: {
      on: { "replacement.confirmed": "making", "replacement.cancelled": "idle" },
    },
    making: {
      entry: "clearFailure",
      on: { "cancel.requested": { target: "idle", actions: "release" } },
      initial: "awaitingModel",
      states: {
        awaitingModel: {
          tags: "model",
          invoke: { src: "model", input: ordered },
          on: { "model.arrived": "translating" },
        },
        translating: {
          tags: "translating",
          invoke: [{ src: "translate", input: ordered, onDone: "storing", onError: giveUp }, { src: "holdPage" }],
        },
        storing: {
          tags: "storing",
          invoke: [
            {
              src: "store",
              input: ordered,
              onDone: { target: "#vaultTranslation.idle", actions: ["release", "emitStored"] },
              onError: giveUp,
            },
            { src: "holdPage" },
          ],
        },
      },
    },
  },
});

type TranslationSnapshot = SnapshotFrom<typeof vaultTranslationMachine>;

const phases = ["model", "translating", "storing"] as const;
/** What is done for a translation; `model`: it has to be on this device first. */
export type VaultTranslationPhase = (typeof phases)[number];

/** null: no translation is being made. */
export const selectTranslationPhase = (snapshot: TranslationSnapshot): VaultTranslationPhase | null =>
  phases.find((phase) => snapshot.hasTag(phase)) ?? null;
/** Whether translations may be replaced is to be confirmed. */
export const selectIsReplacementAsked = (snapshot: TranslationSnapshot): boolean => snapshot.matches("asking");
/** The language into which a translation is made, or may be; null without one. */
export const selectTranslatedInto = (snapshot: TranslationSnapshot): string | null =>
  snapshot.matches("idle") ? null : snapshot.context.order.target;
/** Why the last attempt failed, until the next. */
export const selectWhyNoTranslation = (snapshot: TranslationSnapshot): string | null => snapshot.context.failure;
