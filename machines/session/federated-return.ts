import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ErrorCode, UserProfile } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withOutput } from "#machines/with-event.ts";

export type FederatedReturnEvent =
  /** The person retries what failed. */
  | { type: "retry.requested" }
  /** The person confirms that the account is theirs. */
  | { type: "account.confirmed" };

export type FederatedReturnEmitted =
  /** Triggers the success message. */
  { type: "signIn.completed" };

/** The known data of the return. */
export interface Returned {
  user: UserProfile;
  /** Whether this browser started the sign-in: only it has the session's cookie. */
  isOurs: boolean;
}

interface FederatedReturnContext {
  /** From the address, or exchanged for the code; null without a decodable one. */
  token: string | null;
  /** From the address, to be exchanged for a token; null if there is none. */
  oneTimeCode: string | null;
  /** Whether the token was exchanged: only this browser could do that. */
  isExchanged: boolean;
  /** The server's error code. */
  code: ErrorCode;
  user: UserProfile | null;
}

/**
 * The OAuth callback in the same window, with a one-time code in the address (our own server), or with a token (SPEC.md
 * section 2). Anybody can send such an address to a person, who would then dictate into the sender's account. So a code
 * is exchanged only in the browser that started the sign-in, and a token that does not belong to this browser is used
 * only after a confirmation.
 */
export const federatedReturnMachine = setup({
  types: {
    context: {} as FederatedReturnContext,
    events: {} as FederatedReturnEvent,
    emitted: {} as FederatedReturnEmitted,
    input: {} as Pick<FederatedReturnContext, "token" | "oneTimeCode" | "code">,
  },
  actors: {
    /** @returns the token for the code */
    exchange: fromPromise<string, { oneTimeCode: string }>(async () => notProvided("exchange")),
    examine: fromPromise<Returned, { token: string; isExchanged: boolean }>(async () => notProvided("examine")),
  },
  actions: {
    assignToken: assign({ token: (_, token: string) => token, isExchanged: true }),
    assignRefusal: assign({ code: (_, code: ErrorCode) => code }),
    assignUser: assign({ user: (_, { user }: Returned) => user }),
    /** Signs in; navigation follows from that. */
    begin: (_, _params: { token: string; user: UserProfile | null }) => notProvided("begin"),
    emitSignedIn: emit({ type: "signIn.completed" }),
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
        onDone: { target: "examining", actions: withOutput("assignToken") },
        onError: [
          { guard: ({ event }) => codeOf(event.error) === "network", target: "unreachable" },
          { target: "refused", actions: { type: "assignRefusal", params: "providerFailed" } },
        ],
      },
    },
    /** It is unknown whether the code was used up: the next attempt shows it. */
    unreachable: { on: { "retry.requested": "exchanging" } },
    examining: {
      invoke: {
        src: "examine",
        input: ({ context }) => ({ token: context.token ?? "", isExchanged: context.isExchanged }),
        onDone: [
          { guard: withOutput("isOurs"), target: "signedIn", actions: withOutput("assignUser") },
          { target: "confirming", actions: withOutput("assignUser") },
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

/** The code could not be sent to the server. */
export const selectIsUnreachable = (snapshot: FederatedReturnSnapshot): boolean => snapshot.matches("unreachable");
export const selectIsProfileMissing = (snapshot: FederatedReturnSnapshot): boolean => snapshot.matches("profileMissing");
/** The account to be confirmed; null when no confirmation is pending. */
export const selectEmailToConfirm = (snapshot: FederatedReturnSnapshot): string | null =>
  snapshot.matches("confirming") ? (snapshot.context.user?.email ?? null) : null;
/** Why it failed; null unless it did. */
export const selectReturnRefusal = (snapshot: FederatedReturnSnapshot): ErrorCode | null =>
  snapshot.matches("refused") ? snapshot.context.code : null;
