import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { PendingSignIn, UserProfile } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** What somebody types: a code of the authenticator app, or a recovery code in its place. */
export type CodeKind = "app" | "recovery";

export type SecondStepEvent =
  | { type: "code.submitted"; proof: string }
  /** The person has, or has not, the device with the app at hand. */
  | { type: "kind.changed"; kind: CodeKind }
  /** The person tries again what could not be loaded. */
  | { type: "reload.requested" };

/** Who is signed in, as a login answers. */
export interface SteppedIn {
  accessToken: string;
  user?: UserProfile | undefined;
}

interface SecondStepContext {
  /** The account whose password was right; null before that is known. */
  email: string | null;
  kind: CodeKind;
  /** The code, while it is sent. */
  proof: string;
  /** Why the last code was refused: an error code of the contract, or `noCode`; null unless it was. */
  failure: string | null;
}

/** The second step of signing in: a code completes what the password, or a provider, has begun in this browser. */
export const secondStepMachine = setup({
  types: { context: {} as SecondStepContext, events: {} as SecondStepEvent },
  actors: {
    /** Rejects with the code `gone` when no sign-in waits in this browser. */
    load: fromPromise<PendingSignIn>(async () => notProvided("load")),
    /** Rejects with the codes `wrongCode`, `gone` and `tooManyRequests`, among others. */
    check: fromPromise<SteppedIn, { proof: string }>(async () => notProvided("check")),
  },
  actions: {
    assignEmail: assign({ email: (_, output: PendingSignIn) => output.email }),
    assignProof: assign((_, { proof }: { proof: string }) => ({ proof, failure: null })),
    dropProof: assign({ proof: "" }),
    assignKind: assign((_, { kind }: { kind: CodeKind }) => ({ kind, failure: null })),
    assignFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseEmpty: assign({ failure: "noCode" }),
    clearFailure: assign({ failure: null }),
    /** Signs in; navigation follows from that. */
    begin: (_, _signedIn: SteppedIn) => notProvided("begin"),
  },
  guards: {
    isGone: (_, { error }: Failed) => isGone(error),
    isEmpty: (_, { proof }: { proof: string }) => proof.trim() === "",
  },
}).createMachine({
  id: "secondStep",
  context: { email: null, kind: "app", proof: "", failure: null },
  initial: "loading",
  states: {
    loading: {
      entry: "clearFailure",
      invoke: {
        src: "load",
        onDone: { target: "asking", actions: withOutput("assignEmail") },
        onError: [
          { guard: withEvent("isGone"), target: "over" },
          { target: "failed", actions: withEvent("assignFailure") },
        ],
      },
    },
    failed: { on: { "reload.requested": "loading" } },
    asking: {
      on: {
        "code.submitted": [
          { guard: withEvent("isEmpty"), actions: "refuseEmpty" },
          { target: "checking", actions: withEvent("assignProof") },
        ],
        "kind.changed": { actions: withEvent("assignKind") },
      },
    },
    checking: {
      exit: "dropProof",
      invoke: {
        src: "check",
        input: ({ context }) => ({ proof: context.proof }),
        onDone: { target: "signedIn", actions: withOutput("begin") },
        onError: [
          { guard: withEvent("isGone"), target: "over" },
          { target: "asking", actions: withEvent("assignFailure") },
        ],
      },
    },
    signedIn: { type: "final" },
    /** It took too long, or too many codes were wrong: the password is asked for again. */
    over: { type: "final" },
  },
});

type Snapshot = SnapshotFrom<typeof secondStepMachine>;

/** The account whose password was right; null unless a code is asked for. */
export const selectEmail = (snapshot: Snapshot): string | null =>
  snapshot.matches("asking") || snapshot.matches("checking") ? snapshot.context.email : null;
export const selectKind = (snapshot: Snapshot): CodeKind => snapshot.context.kind;
export const selectIsChecking = (snapshot: Snapshot): boolean => snapshot.matches("checking");
/** Nothing waits for a code in this browser, any more. */
export const selectIsOver = (snapshot: Snapshot): boolean => snapshot.matches("over");
/** It is not known whether something waits for a code. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches("failed");
/** Why the last code was refused: an error code of the contract, or `noCode`; null unless it was. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
