import { assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ErrorCode, FederatedProvider } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type FederatedEvent =
  /** A page with the providers' buttons is opened. */
  | { type: "provider.requested" }
  /**
   * The person pressed the button of the provider with this id, on the page with this path (with its query and hash).
   */
  | { type: "signIn.requested"; path: string; provider: string }
  /** The browser blocked the popup. */
  | { type: "window.refused" }
  /** The popup was closed. */
  | { type: "window.closed" }
  /** The popup callback page reports success. */
  | { type: "token.received"; accessToken: string }
  /** The popup callback page reports a failure and its reason. */
  | { type: "refusal.received"; code: ErrorCode }
  /** The popup callback page reports an account with this e-mail, whose password links the two. */
  | { type: "link.required" }
  /** The popup callback page reports that the account also asks for a code. */
  | { type: "code.required" }
  /** The page with the button is left, or shown again by the browser's Back. */
  | { type: "page.left" }
  | { type: "page.returned" };

interface FederatedContext {
  /** In the order of their buttons; empty before they are known. */
  providers: readonly FederatedProvider[];
  /** The id of the one whose button was pressed last; "" for none. */
  chosen: string;
  refusal: ErrorCode | null;
}

/**
 * Sign-in with another provider's account, until a token is received (SPEC.md section 4, "Federated sign-in message").
 * In a popup; if the browser blocks it, in this window.
 */
export const federatedSignInMachine = setup({
  types: { context: {} as FederatedContext, events: {} as FederatedEvent },
  actors: {
    loadProviders: fromPromise<readonly FederatedProvider[]>(async () => notProvided("loadProviders")),
    /** Receives the popup callback page's messages, and `page.returned`. */
    messages: fromCallback<FederatedEvent>(() => notProvided("messages")),
    /** Opens the popup; sends `window.refused` and `window.closed`. */
    window: fromCallback<FederatedEvent, { provider: string }>(() => notProvided("window")),
  },
  actions: {
    rememberPath: (_, _params: { path: string }) => notProvided("rememberPath"),
    /** Signs in with the token; navigation follows from that. */
    begin: (_, _params: { accessToken: string }) => notProvided("begin"),
    /** Goes to the provider in this window. */
    leavePage: (_, _params: { provider: string }) => notProvided("leavePage"),
    /** Goes to the page that asks for the password. */
    openLinking: () => notProvided("openLinking"),
    /** Goes to the page that asks for the code. */
    openSecondStep: () => notProvided("openSecondStep"),
    assignProviders: assign({ providers: (_, providers: readonly FederatedProvider[]) => providers }),
    choose: assign({ chosen: (_, { provider }: { provider: string }) => provider }),
    assignRefusal: assign({ refusal: (_, code: ErrorCode) => code }),
    clearRefusal: assign({ refusal: null }),
  },
  guards: {
    isOffered: (_, providers: readonly FederatedProvider[]) => providers.length > 0,
    isElsewhere: (_, { path }: { path: string }) => path.split(/[?#]/)[0] !== "/signin",
  },
}).createMachine({
  id: "federatedSignIn",
  context: { providers: [], chosen: "", refusal: null },
  invoke: { src: "messages" },
  initial: "unknown",
  on: {
    // Handled in any state: the popup may have been opened before this page was reloaded.
    "token.received": { actions: ["clearRefusal", withEvent("begin")] },
    "refusal.received": { actions: { type: "assignRefusal", params: ({ event }) => event.code } },
    "link.required": { actions: ["clearRefusal", "openLinking"] },
    "code.required": { actions: ["clearRefusal", "openSecondStep"] },
  },
  states: {
    unknown: { on: { "provider.requested": "asking" } },
    asking: {
      invoke: {
        src: "loadProviders",
        onDone: [
          { guard: withOutput("isOffered"), target: "offered", actions: withOutput("assignProviders") },
          { target: "absent" },
        ],
        // Password sign-in works without it; the next page asks again.
        onError: "unknown",
      },
    },
    absent: {},
    offered: {
      initial: "idle",
      on: {
        "signIn.requested": [
          {
            guard: withEvent("isElsewhere"),
            target: ".inWindow",
            actions: ["clearRefusal", withEvent("choose"), withEvent("rememberPath")],
          },
          { target: ".inWindow", actions: ["clearRefusal", withEvent("choose")] },
        ],
        "page.left": { target: ".idle", actions: "clearRefusal" },
      },
      states: {
        idle: {},
        inWindow: {
          invoke: { src: "window", input: ({ context }) => ({ provider: context.chosen }), onError: "leaving" },
          on: {
            "window.refused": "leaving",
            "window.closed": "idle",
            "token.received": { target: "idle", actions: ["clearRefusal", withEvent("begin")] },
            "refusal.received": {
              target: "idle",
              actions: { type: "assignRefusal", params: ({ event }) => event.code },
            },
          },
        },
        leaving: {
          entry: { type: "leavePage", params: ({ context }) => ({ provider: context.chosen }) },
          on: { "page.returned": "idle" },
        },
      },
    },
  },
});

type FederatedSnapshot = SnapshotFrom<typeof federatedSignInMachine>;

const noProviders: readonly FederatedProvider[] = [];

/** The providers with a button. */
export const selectProviders = (snapshot: FederatedSnapshot): readonly FederatedProvider[] =>
  snapshot.matches("offered") ? snapshot.context.providers : noProviders;
/** The name of the provider whose button was pressed; before that, all possible names; null if there is none. */
export const selectProvider = (snapshot: FederatedSnapshot): string | null => {
  const providers = selectProviders(snapshot);
  const chosen = providers.filter(({ id }) => id === snapshot.context.chosen);
  return (chosen.length > 0 ? chosen : providers).map(({ name }) => name).join(" / ") || null;
};
/** The id of the provider to which this window navigates; null if there is none. */
export const selectLeavingTo = (snapshot: FederatedSnapshot): string | null =>
  snapshot.matches({ offered: "leaving" }) ? snapshot.context.chosen : null;
export const selectIsInWindow = (snapshot: FederatedSnapshot): boolean => snapshot.matches({ offered: "inWindow" });
export const selectIsLeaving = (snapshot: FederatedSnapshot): boolean => snapshot.matches({ offered: "leaving" });
/** Why the sign-in failed; null if there is nothing to show. */
export const selectRefusal = (snapshot: FederatedSnapshot): ErrorCode | null => snapshot.context.refusal;
