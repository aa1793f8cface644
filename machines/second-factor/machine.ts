import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { SecondFactor, SecondFactorSecret } from "#contract/index.ts";
import { codeOf, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { SecondFactorEmitted, SecondFactorEvent, SecondFactorWish } from "./events.ts";

interface SecondFactorInput {
  /** Epoch ms. */
  now: () => number;
}

interface SecondFactorContext extends SecondFactorInput {
  /** As the server has it; null before it is loaded. */
  status: SecondFactor | null;
  /** What was typed, while it is sent. */
  typed: { password: string; proof: string };
  /** What the authenticator app is to know, until its first code was right. */
  offer: SecondFactorSecret | null;
  /** What the person does with what is on; null unless they do. */
  wish: SecondFactorWish | null;
  /** The recovery codes, until the person has kept them. */
  codes: readonly string[] | null;
  /** Why the last change failed: an error code of the contract, or `noCode`; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

/** It was changed elsewhere: what is shown is old. */
const isOld = (error: unknown) => ["gone", "conflict"].includes(codeOf(error));
const nothing = { password: "", proof: "" };

/** A person's second factor: set up with an authenticator app, confirmed by its first code, given new recovery codes, turned off. */
export const secondFactorMachine = setup({
  types: {
    context: {} as SecondFactorContext,
    events: {} as SecondFactorEvent,
    emitted: {} as SecondFactorEmitted,
    input: {} as SecondFactorInput,
    /** The server has no second factor. */
    tags: {} as "unavailable",
  },
  actors: {
    load: fromPromise<SecondFactor>(async () => notProvided("load")),
    /** Rejects with the codes `wrongPassword`, `freshSignInRequired` and `conflict`, among others. */
    offer: fromPromise<SecondFactorSecret, { password: string }>(async () => notProvided("offer")),
    /** Rejects with the codes `wrongCode` and `gone`, among others. @returns the recovery codes */
    confirm: fromPromise<readonly string[], { proof: string }>(async () => notProvided("confirm")),
    /** @returns new recovery codes; none when it is off */
    change: fromPromise<readonly string[], { wish: SecondFactorWish; password: string; proof: string }>(async () =>
      notProvided("change"),
    ),
    wakeUps: fromCallback<SecondFactorEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: { output: SecondFactor }) => ({ status: output, loadError: null })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepTyped: assign((_, { password = "", proof = "" }: { password?: string; proof?: string }) => ({
      typed: { password, proof },
      failure: null,
    })),
    dropTyped: assign({ typed: nothing }),
    keepOffer: assign({ offer: (_, { output }: { output: SecondFactorSecret }) => output }),
    dropOffer: assign({ offer: null }),
    keepWish: assign((_, { wish }: { wish: SecondFactorWish }) => ({ wish, failure: null })),
    dropWish: assign({ wish: null }),
    keepCodes: assign({ codes: (_, { output }: { output: readonly string[] }) => output }),
    // What the server is asked for next: until it answers, nothing old is shown.
    noteOn: assign({
      status: ({ context: { status, now } }, { output }: { output: readonly string[] }) =>
        status && { ...status, enabledAt: status.enabledAt ?? new Date(now()).toISOString(), recoveryCodesLeft: output.length },
    }),
    noteOff: assign({ status: ({ context: { status } }) => status && { ...status, enabledAt: null, recoveryCodesLeft: 0 } }),
    dropCodes: assign({ codes: null }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseEmpty: assign({ failure: "noCode" }),
    clearFailure: assign({ failure: null }),
    emitOn: emit({ type: "secondFactor.changed", isOn: true }),
    emitOff: emit({ type: "secondFactor.changed", isOn: false }),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isOld: (_, { error }: Failed) => isOld(error),
    isEmpty: (_, { proof }: { proof: string }) => proof.trim() === "",
    isOff: ({ context }) => context.wish === "off",
  },
}).createMachine({
  id: "secondFactor",
  context: ({ input: { now } }) => ({
    now,
    status: null,
    typed: nothing,
    offer: null,
    wish: null,
    codes: null,
    failure: null,
    loadError: null,
  }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "open", actions: { type: "keep", params: ({ event }) => event } },
        onError: [
          { guard: { type: "isNotOffered", params: ({ event }) => event }, target: "unavailable" },
          { target: "failed", actions: { type: "keepLoadError", params: ({ event }) => event } },
        ],
      },
    },
    unavailable: { tags: "unavailable" },
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "setUp.requested": { target: "proving", actions: "clearFailure" },
            "change.requested": { target: "changing", actions: { type: "keepWish", params: ({ event }) => event } },
          },
          states: {
            // It may have been changed elsewhere meanwhile.
            resting: { invoke: { src: "wakeUps" }, on: { "page.resumed": "refreshing" } },
            /** What is shown stays until the answer, and if there is none. */
            refreshing: {
              invoke: {
                src: "load",
                onDone: { target: "resting", actions: { type: "keep", params: ({ event }) => event } },
                onError: "resting",
              },
            },
          },
        },
        /** The password is asked for. */
        proving: {
          on: {
            "password.submitted": { target: "offering", actions: { type: "keepTyped", params: ({ event }) => event } },
            "form.dismissed": { target: "idle", actions: "clearFailure" },
          },
        },
        offering: {
          exit: "dropTyped",
          invoke: {
            src: "offer",
            input: ({ context }) => context.typed,
            onDone: { target: "scanning", actions: { type: "keepOffer", params: ({ event }) => event } },
            onError: [
              {
                guard: { type: "isOld", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: { type: "keepFailure", params: ({ event }) => event },
              },
              { target: "proving", actions: { type: "keepFailure", params: ({ event }) => event } },
            ],
          },
        },
        /** The secret is shown, and the first code of the app is asked for. */
        scanning: {
          on: {
            "code.submitted": [
              { guard: { type: "isEmpty", params: ({ event }) => event }, actions: "refuseEmpty" },
              { target: "confirming", actions: { type: "keepTyped", params: ({ event }) => event } },
            ],
            "form.dismissed": { target: "idle", actions: ["dropOffer", "clearFailure"] },
          },
        },
        confirming: {
          exit: "dropTyped",
          invoke: {
            src: "confirm",
            input: ({ context }) => context.typed,
            onDone: {
              target: "showing",
              actions: [
                { type: "keepCodes", params: ({ event }) => event },
                { type: "noteOn", params: ({ event }) => event },
                "dropOffer",
                "emitOn",
              ],
            },
            onError: [
              {
                guard: { type: "isOld", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropOffer"],
              },
              { target: "scanning", actions: { type: "keepFailure", params: ({ event }) => event } },
            ],
          },
        },
        /** Password and code are asked for. */
        changing: {
          on: {
            "change.submitted": [
              { guard: { type: "isEmpty", params: ({ event }) => event }, actions: "refuseEmpty" },
              { target: "making", actions: { type: "keepTyped", params: ({ event }) => event } },
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
              {
                target: "showing",
                actions: [
                  { type: "keepCodes", params: ({ event }) => event },
                  { type: "noteOn", params: ({ event }) => event },
                  "dropWish",
                  "emitOn",
                ],
              },
            ],
            onError: [
              {
                guard: { type: "isOld", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropWish"],
              },
              { target: "changing", actions: { type: "keepFailure", params: ({ event }) => event } },
            ],
          },
        },
        /** The recovery codes are shown, this once. */
        showing: { on: { "codes.dismissed": { target: "idle.refreshing", actions: "dropCodes" } } },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof secondFactorMachine>;

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.hasTag("unavailable");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
/** As the server has it; null unless no form is in its place. */
export const selectStatus = (snapshot: Snapshot): SecondFactor | null =>
  snapshot.matches({ open: "idle" }) ? snapshot.context.status : null;
/** The password is asked for, to begin with. */
export const selectIsProving = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: "proving" }) || snapshot.matches({ open: "offering" });
/** What the app is to know; null unless it is shown. */
export const selectOffer = (snapshot: Snapshot): SecondFactorSecret | null => snapshot.context.offer;
/** What is to be done with what is on; null unless password and code are asked for. */
export const selectWish = (snapshot: Snapshot): SecondFactorWish | null => snapshot.context.wish;
/** To be kept now; null unless they are shown. */
export const selectCodes = (snapshot: Snapshot): readonly string[] | null => snapshot.context.codes;
/** Something typed is on its way to the server. */
export const selectIsBusy = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: "offering" }) || snapshot.matches({ open: "confirming" }) || snapshot.matches({ open: "making" });
/** Why the last change failed: an error code of the contract, or `noCode`; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
