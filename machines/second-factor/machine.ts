import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { SecondFactor, SecondFactorSecret } from "#contract/index.ts";
import { createLoading, type LoadingContext, type LoadingTag } from "#machines/collection/loading.ts";
import { copyActors, type ShownOnceTag, shownOnce } from "#machines/collection/shown-once.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { SecondFactorEmitted, SecondFactorEvent, SecondFactorWish } from "./events.ts";

interface SecondFactorInput {
  /** Epoch ms. */
  now: () => number;
}

interface SecondFactorContext extends SecondFactorInput, LoadingContext<SecondFactor> {
  /** The typed values while they are sent. */
  typed: { password: string; proof: string };
  /** The secret for the authenticator app, until its first code was right. */
  offer: SecondFactorSecret | null;
  /** The change the person is making to a second factor that is on; null for none. */
  wish: SecondFactorWish | null;
  /** The recovery codes, until the person has saved them. */
  codes: readonly string[] | null;
}

/** Whether it was changed elsewhere, so that the state shown is stale. */
const isOld = (error: unknown) => ["gone", "conflict"].includes(codeOf(error));
const nothing = { password: "", proof: "" };

const loading = createLoading<SecondFactor, SecondFactorContext, SecondFactorEvent>();

/**
 * A person's second factor: set up with an authenticator app, confirmed by its first code, given new recovery codes,
 * turned off.
 */
export const secondFactorMachine = setup({
  types: {
    context: {} as SecondFactorContext,
    events: {} as SecondFactorEvent,
    emitted: {} as SecondFactorEmitted,
    input: {} as SecondFactorInput,
    tags: {} as LoadingTag | ShownOnceTag,
  },
  actors: {
    ...loading.actors,
    ...copyActors,
    /** Rejects with the codes `wrongPassword`, `freshSignInRequired` and `conflict`, among others. */
    offer: fromPromise<SecondFactorSecret, { password: string }>(async () => notProvided("offer")),
    /** Rejects with the codes `wrongCode` and `gone`, among others. @returns the recovery codes */
    confirm: fromPromise<readonly string[], { proof: string }>(async () => notProvided("confirm")),
    /** @returns new recovery codes; none if it was turned off */
    change: fromPromise<readonly string[], { wish: SecondFactorWish; password: string; proof: string }>(async () =>
      notProvided("change"),
    ),
  },
  actions: {
    ...loading.actions,
    assignTyped: assign((_, { password = "", proof = "" }: { password?: string; proof?: string }) => ({
      typed: { password, proof },
      failure: null,
    })),
    dropTyped: assign({ typed: nothing }),
    assignOffer: assign({ offer: (_, offer: SecondFactorSecret) => offer }),
    dropOffer: assign({ offer: null }),
    assignWish: assign((_, { wish }: { wish: SecondFactorWish }) => ({ wish, failure: null })),
    dropWish: assign({ wish: null }),
    assignCodes: assign({ codes: (_, codes: readonly string[]) => codes }),
    // Hides the old state until the server answers.
    noteOn: assign({
      known: ({ context: { known, now } }, output: readonly string[]) =>
        known && { ...known, enabledAt: known.enabledAt ?? new Date(now()).toISOString(), recoveryCodesLeft: output.length },
    }),
    noteOff: assign({ known: ({ context: { known } }) => known && { ...known, enabledAt: null, recoveryCodesLeft: 0 } }),
    dropCodes: assign({ codes: null }),
    refuseEmpty: assign({ failure: "noCode" }),
    emitOn: emit({ type: "secondFactor.changed", isOn: true }),
    emitOff: emit({ type: "secondFactor.changed", isOn: false }),
  },
  guards: {
    ...loading.guards,
    isOld: (_, { error }: Failed) => isOld(error),
    isEmpty: (_, { proof }: { proof: string }) => proof.trim() === "",
    isOff: ({ context }) => context.wish === "off",
  },
}).createMachine({
  id: "secondFactor",
  context: ({ input: { now } }) => ({
    now,
    known: null,
    typed: nothing,
    offer: null,
    wish: null,
    codes: null,
    failure: null,
  }),
  initial: "loading",
  states: {
    ...loading.states,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...loading.idle,
          on: {
            "setUp.requested": { target: "proving", actions: "clearFailure" },
            "change.requested": { target: "changing", actions: withEvent("assignWish") },
          },
        },
        /** Waits for the password. */
        proving: {
          on: {
            "password.submitted": { target: "offering", actions: withEvent("assignTyped") },
            "form.dismissed": { target: "idle", actions: "clearFailure" },
          },
        },
        offering: {
          exit: "dropTyped",
          invoke: {
            src: "offer",
            input: ({ context }) => context.typed,
            onDone: { target: "scanning", actions: withOutput("assignOffer") },
            onError: [
              { guard: withEvent("isOld"), target: "idle.refreshing", actions: withEvent("assignFailure") },
              { target: "proving", actions: withEvent("assignFailure") },
            ],
          },
        },
        /** Shows the secret and waits for the app's first code. */
        scanning: {
          on: {
            "code.submitted": [
              { guard: withEvent("isEmpty"), actions: "refuseEmpty" },
              { target: "confirming", actions: withEvent("assignTyped") },
            ],
            "form.dismissed": { target: "idle", actions: ["dropOffer", "clearFailure"] },
          },
        },
        confirming: {
          exit: "dropTyped",
          invoke: {
            src: "confirm",
            input: ({ context }) => context.typed,
            onDone: { target: "showing", actions: [withOutput("assignCodes"), withOutput("noteOn"), "dropOffer", "emitOn"] },
            onError: [
              { guard: withEvent("isOld"), target: "idle.refreshing", actions: [withEvent("assignFailure"), "dropOffer"] },
              { target: "scanning", actions: withEvent("assignFailure") },
            ],
          },
        },
        /** Waits for password and code. */
        changing: {
          on: {
            "change.submitted": [
              { guard: withEvent("isEmpty"), actions: "refuseEmpty" },
              { target: "making", actions: withEvent("assignTyped") },
            ],
            "form.dismissed": { target: "idle", actions: ["dropWish", "clearFailure"] },
          },
        },
        making: {
          exit: "dropTyped",
          invoke: {
            src: "change",
            input: ({ context }) => ({ ...context.typed, wish: present(context.wish, "what is wanted") }),
            onDone: [
              { guard: "isOff", target: "idle.refreshing", actions: ["noteOff", "dropWish", "emitOff"] },
              { target: "showing", actions: [withOutput("assignCodes"), withOutput("noteOn"), "dropWish", "emitOn"] },
            ],
            onError: [
              { guard: withEvent("isOld"), target: "idle.refreshing", actions: [withEvent("assignFailure"), "dropWish"] },
              { target: "changing", actions: withEvent("assignFailure") },
            ],
          },
        },
        /** Shows the recovery codes, only this once. */
        showing: {
          ...shownOnce,
          on: { "copy.requested": ".copying", "secret.dismissed": { target: "idle.refreshing", actions: "dropCodes" } },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof secondFactorMachine>;

/** The server's state; null while a form replaces it. */
export const selectStatus = (snapshot: Snapshot): SecondFactor | null =>
  snapshot.matches({ open: "idle" }) ? snapshot.context.known : null;
/** Whether the first step asks for the password. */
export const selectIsProving = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: "proving" }) || snapshot.matches({ open: "offering" });
/** The secret for the app; null unless it is shown. */
export const selectOffer = (snapshot: Snapshot): SecondFactorSecret | null => snapshot.context.offer;
/** The change that needs password and code; null for none. */
export const selectWish = (snapshot: Snapshot): SecondFactorWish | null => snapshot.context.wish;
/** The recovery codes to be saved; null unless they are shown. */
export const selectCodes = (snapshot: Snapshot): readonly string[] | null => snapshot.context.codes;
/** Whether something typed is being sent to the server. */
export const selectIsBusy = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: "offering" }) || snapshot.matches({ open: "confirming" }) || snapshot.matches({ open: "making" });
