import { assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ErrorCode } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";

export type FederatedEvent =
  /** A page with the provider's button is opened. */
  | { type: "provider.requested" }
  /** The person pressed the button, on the page with this path (with its query and hash). */
  | { type: "signIn.requested"; path: string }
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
  /** Its display name; null when there is none. */
  provider: string | null;
  refusal: ErrorCode | null;
}

/**
 * Signing in with another provider's account, until a token is there (SPEC.md section 4, "Federated sign-in message"). In a
 * popup; where the browser blocks it, in this window.
 */
export const federatedSignInMachine = setup({
  types: { context: {} as FederatedContext, events: {} as FederatedEvent },
  actors: {
    loadProvider: fromPromise<string | null>(async () => notProvided("loadProvider")),
    /** Receives the popup callback page's messages, and `page.returned`. */
    messages: fromCallback<FederatedEvent>(() => notProvided("messages")),
    /** Opens the popup; sends `window.refused` and `window.closed`. */
    window: fromCallback<FederatedEvent>(() => notProvided("window")),
  },
  actions: {
    rememberPath: (_, _params: { path: string }) => notProvided("rememberPath"),
    /** Signs in with the token; navigation follows from that. */
    begin: (_, _params: { accessToken: string }) => notProvided("begin"),
    /** Goes to the provider in this window. */
    leavePage: () => notProvided("leavePage"),
    /** Goes to the page that asks for the password. */
    openLinking: () => notProvided("openLinking"),
    /** Goes to the page that asks for the code. */
    openSecondStep: () => notProvided("openSecondStep"),
    takeProvider: assign({ provider: (_, provider: string | null) => provider }),
    takeRefusal: assign({ refusal: (_, code: ErrorCode) => code }),
    clearRefusal: assign({ refusal: null }),
  },
  guards: {
    isOffered: (_, provider: string | null) => provider !== null,
    isElsewhere: (_, { path }: { path: string }) => path.split(/[?#]/)[0] !== "/signin",
  },
}).createMachine({
  id: "federatedSignIn",
  context: { provider: null, refusal: null },
  invoke: { src: "messages" },
  initial: "unknown",
  on: {
    // From any state: the popup may have been opened before this page was reloaded.
    "token.received": { actions: ["clearRefusal", { type: "begin", params: ({ event }) => event }] },
    "refusal.received": { actions: { type: "takeRefusal", params: ({ event }) => event.code } },
    "link.required": { actions: ["clearRefusal", "openLinking"] },
    "code.required": { actions: ["clearRefusal", "openSecondStep"] },
  },
  states: {
    unknown: { on: { "provider.requested": "asking" } },
    asking: {
      invoke: {
        src: "loadProvider",
        onDone: [
          {
            guard: { type: "isOffered", params: ({ event }) => event.output },
            target: "offered",
            actions: { type: "takeProvider", params: ({ event }) => event.output },
          },
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
            guard: { type: "isElsewhere", params: ({ event }) => event },
            target: ".inWindow",
            actions: ["clearRefusal", { type: "rememberPath", params: ({ event }) => event }],
          },
          { target: ".inWindow", actions: "clearRefusal" },
        ],
        "page.left": { target: ".idle", actions: "clearRefusal" },
      },
      states: {
        idle: {},
        inWindow: {
          invoke: { src: "window", onError: "leaving" },
          on: {
            "window.refused": "leaving",
            "window.closed": "idle",
            "token.received": {
              target: "idle",
              actions: ["clearRefusal", { type: "begin", params: ({ event }) => event }],
            },
            "refusal.received": {
              target: "idle",
              actions: { type: "takeRefusal", params: ({ event }) => event.code },
            },
          },
        },
        leaving: { entry: "leavePage", on: { "page.returned": "idle" } },
      },
    },
  },
});

type FederatedSnapshot = SnapshotFrom<typeof federatedSignInMachine>;

/** The name on the button; null when there is none to show. */
export const selectProvider = (snapshot: FederatedSnapshot): string | null =>
  snapshot.matches("offered") ? snapshot.context.provider : null;
export const selectIsInWindow = (snapshot: FederatedSnapshot): boolean => snapshot.matches({ offered: "inWindow" });
export const selectIsLeaving = (snapshot: FederatedSnapshot): boolean => snapshot.matches({ offered: "leaving" });
/** Why it failed; null when there is nothing to show. */
export const selectRefusal = (snapshot: FederatedSnapshot): ErrorCode | null => snapshot.context.refusal;
