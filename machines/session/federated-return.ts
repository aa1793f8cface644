import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ErrorCode, UserProfile } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type FederatedReturnEvent =
  /** The person wants what could not be had to be asked for once more. */
  | { type: "retry.requested" }
  /** The person says that the account is theirs. */
  | { type: "account.confirmed" };

export type FederatedReturnEmitted =
  /** For the message that follows. */
  { type: "signedIn" };

/** What is known of who comes back. */
export interface Returned {
  user: UserProfile;
  /** Whether it was this browser that went to the provider: only it has the session's cookie. */
  isOurs: boolean;
}

interface FederatedReturnContext {
  /** Brought along in the address, or exchanged for the code; null when there was none that could be read. */
  token: string | null;
  /** Brought along in the address, to be exchanged for a token; null when there was none. */
  oneTimeCode: string | null;
  /** Whether the token was exchanged: only this browser could. */
  isExchanged: boolean;
  /** What the server says of a failure. */
  code: ErrorCode;
  user: UserProfile | null;
}

/**
 * Coming back from another provider in the same window, with a one-time code in the address (our own server), or with a token (SPEC.md
 * section 2). An address can be sent to anybody: a code is exchanged only for the browser that has signed in, and a token that does not
 * belong to this browser is used only if the person says so, or they would dictate into somebody else's account.
 */
export const federatedReturnMachine = setup({
  types: {
    context: {} as FederatedReturnContext,
    events: {} as FederatedReturnEvent,
    emitted: {} as FederatedReturnEmitted,
    input: {} as Pick<FederatedReturnContext, "token" | "oneTimeCode" | "code">,
  },
  actors: {
    /** @returns the token that the code stands for */
    exchange: fromPromise<string, { oneTimeCode: string }>(async () => notProvided("exchange")),
    examine: fromPromise<Returned, { token: string; isExchanged: boolean }>(async () => notProvided("examine")),
  },
  actions: {
    takeToken: assign({ token: (_, token: string) => token, isExchanged: true }),
    takeRefusal: assign({ code: (_, code: ErrorCode) => code }),
    takeUser: assign({ user: (_, { user }: Returned) => user }),
    /** Signs in; navigation follows from that. */
    begin: (_, _params: { token: string; user: UserProfile | null }) => notProvided("begin"),
    emitSignedIn: emit({ type: "signedIn" }),
  },
  guards: {
    hasCode: ({ context }) => context.oneTimeCode !== null,
    hasToken: ({ context }) => context.token !== null,
    isOurs: (_, { isOurs }: Returned) => isOurs,
  },
}).createMachine({
  id: "federatedReturn",
  context: ({ input }) => ({ ...input, isExchanged: false, user: null }),
  initial: "arriving",
  states: {
    arriving: {
      always: [{ guard: "hasCode", target: "exchanging" }, { guard: "hasToken", target: "examining" }, { target: "refused" }],
    },
    exchanging: {
      invoke: {
        src: "exchange",
        input: ({ context }) => ({ oneTimeCode: context.oneTimeCode ?? "" }),
        onDone: { target: "examining", actions: { type: "takeToken", params: ({ event }) => event.output } },
        onError: [
          { guard: ({ event }) => codeOf(event.error) === "network", target: "unreachable" },
          { target: "refused", actions: { type: "takeRefusal", params: "providerFailed" } },
        ],
      },
    },
    /** Nobody knows whether the code was used up: the next attempt tells. */
    unreachable: { on: { "retry.requested": "exchanging" } },
    examining: {
      invoke: {
        src: "examine",
        input: ({ context }) => ({ token: context.token ?? "", isExchanged: context.isExchanged }),
        onDone: [
          {
            guard: { type: "isOurs", params: ({ event }) => event.output },
            target: "signedIn",
            actions: { type: "takeUser", params: ({ event }) => event.output },
          },
          { target: "confirming", actions: { type: "takeUser", params: ({ event }) => event.output } },
        ],
        onError: "profileMissing",
      },
    },
    profileMissing: { on: { "retry.requested": "examining" } },
    confirming: { on: { "account.confirmed": "signedIn" } },
    signedIn: {
      type: "final",
      entry: [{ type: "begin", params: ({ context: { token, user } }) => ({ token: token ?? "", user }) }, "emitSignedIn"],
    },
    refused: { type: "final" },
  },
});

type FederatedReturnSnapshot = SnapshotFrom<typeof federatedReturnMachine>;

/** The code could not be brought to the server. */
export const selectIsUnreachable = (snapshot: FederatedReturnSnapshot): boolean => snapshot.matches("unreachable");
export const selectIsProfileMissing = (snapshot: FederatedReturnSnapshot): boolean => snapshot.matches("profileMissing");
/** Whom the person is asked about; null when nothing is asked. */
export const selectEmailToConfirm = (snapshot: FederatedReturnSnapshot): string | null =>
  snapshot.matches("confirming") ? (snapshot.context.user?.email ?? null) : null;
/** Why it did not work; null when it may. */
export const selectReturnRefusal = (snapshot: FederatedReturnSnapshot): ErrorCode | null =>
  snapshot.matches("refused") ? snapshot.context.code : null;
