import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { PendingSignIn, UserProfile } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** The kind of code the person types: from the authenticator app, or a recovery code. */
export type CodeKind = "app" | "recovery";

export type SecondStepEvent =
  | { type: "code.submitted"; proof: string }
  /** The person has the device with the app, or uses a recovery code. */
  | { type: "kind.changed"; kind: CodeKind }
  /** The person retries loading. */
  | { type: "reload.requested" };

/** The signed-in person, as in the answer to a login. */
export interface SteppedIn {
  accessToken: string;
  user?: UserProfile | undefined;
}

interface SecondStepContext {
  /** The account whose password was right; null before it is known. */
  email: string | null;
  kind: CodeKind;
  /** The code while it is sent. */
  proof: string;
  /** Why the last code was refused: an error code of the contract, or `noCode`; null if it was not. */
  failure: string | null;
}

/**
 * The second step of signing in: a code completes a sign-in that began in this browser with a password or a provider.
 */
export const secondStepMachine = setup({
  types: { context: {} as SecondStepContext, events: {} as SecondStepEvent },
  actors: {
    /** Rejects with the code `gone` if no sign-in is waiting in this browser. */
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
    /** Signs in; the navigation follows. */
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
    /** The sign-in took too long, or too many codes were wrong: the person starts again with the password. */
    over: { type: "final" },
  },
});

type Snapshot = SnapshotFrom<typeof secondStepMachine>;

/** The account whose password was right; null unless a code is requested. */
export const selectEmail = (snapshot: Snapshot): string | null =>
  snapshot.matches("asking") || snapshot.matches("checking") ? snapshot.context.email : null;
export const selectKind = (snapshot: Snapshot): CodeKind => snapshot.context.kind;
export const selectIsChecking = (snapshot: Snapshot): boolean => snapshot.matches("checking");
/** Nothing waits for a code in this browser, any more. */
export const selectIsOver = (snapshot: Snapshot): boolean => snapshot.matches("over");
/** Whether loading the waiting sign-in failed. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches("failed");
/** Why the last code was refused: an error code of the contract, or `noCode`; null if it was not. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
