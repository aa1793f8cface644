import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

/** A requested translation. Languages are two-letter codes. */
export interface TranslationOrder {
  source: string;
  target: string;
  /** Whether existing translations are replaced; otherwise only passages without one are translated. */
  replaces: boolean;
}

export type VaultTranslationEvent =
  /** Sent by the person, who must confirm if translations would be replaced. */
  | { type: "translation.requested"; order: TranslationOrder }
  | { type: "replacement.confirmed" }
  | { type: "replacement.cancelled" }
  | { type: "cancel.requested" }
  /** The actor `model`: the model is on this device. */
  | { type: "model.arrived" }
  /** The vault was locked: nothing decrypted stays on the page. */
  | { type: "vault.locked" };

/** Tells the page that the text is stored with its translation. */
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

/** The translated passages stay for the next attempt. */
const giveUp = { target: "#vaultTranslation.idle", actions: withEvent("rememberFailure") } as const;

/** Translates the text of one recording in the vault on this device. The texts are outside the machine. */
export const vaultTranslationMachine = setup({
  types: {
    context: {} as VaultTranslationContext,
    events: {} as VaultTranslationEvent,
    emitted: {} as VaultTranslationEmitted,
    tags: {} as VaultTranslationPhase,
  },
  actors: {
    /** Reports when the model is on this device, at once if it already is or if none exists. */
    model: fromCallback<VaultTranslationEvent, Input>(() => notProvided("model")),
    /** Translates the passages. Progress bypasses the machine. */
    translate: fromPromise<void, Input>(async () => notProvided("translate")),
    /** Adds the translations to the currently stored text, and stores it. */
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
/** The step of a translation; `model`: waits for the model's download. */
export type VaultTranslationPhase = (typeof phases)[number];

/** null: no translation is in progress. */
export const selectTranslationPhase = (snapshot: TranslationSnapshot): VaultTranslationPhase | null =>
  phases.find((phase) => snapshot.hasTag(phase)) ?? null;
/** Whether the replacement of translations must be confirmed. */
export const selectIsReplacementAsked = (snapshot: TranslationSnapshot): boolean => snapshot.matches("asking");
/** The target language of the translation in progress or in question; null without one. */
export const selectTranslatedInto = (snapshot: TranslationSnapshot): string | null =>
  snapshot.matches("idle") ? null : snapshot.context.order.target;
/** Why the last attempt failed, until the next one. */
export const selectWhyNoTranslation = (snapshot: TranslationSnapshot): string | null => snapshot.context.failure;
