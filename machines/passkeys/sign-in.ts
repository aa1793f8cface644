import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { UsedPasskey, UserProfile } from "#contract/index.ts";
import { codeOf, type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { PasskeySignInEvent } from "./events.ts";

/** The signed-in person, as in the answer to a login. */
export interface PasskeySignedIn {
  accessToken: string;
  user?: UserProfile | undefined;
}

interface PasskeySignInInput {
  /** The page has a field in which the browser can offer passkeys as it offers passwords. */
  hasField: boolean;
}

interface PasskeySignInContext extends PasskeySignInInput {
  /** The device's signed answer, until the server has answered. */
  used: UsedPasskey | null;
  /** Why the last one failed: an error code of the contract, or one of the browser's; null unless it did. */
  failure: string | null;
}

/** A challenge is valid for five minutes; a page that stays open longer requests a new one. */
const renewalMs = 4 * 60_000;

/** Signing in with a passkey: offered by the browser in the field of the e-mail address, and asked for by a button. */
export const passkeySignInMachine = setup({
  types: {
    context: {} as PasskeySignInContext,
    events: {} as PasskeySignInEvent,
    input: {} as PasskeySignInInput,
    /** The server does not know passkeys. */
    tags: {} as "unavailable" | "busy",
  },
  actors: {
    /** Waits until a passkey is chosen in the field. Rejects where the browser can't offer any. */
    offer: fromPromise<UsedPasskey>(async () => notProvided("offer")),
    /**
     * Asks the device. Rejects with the codes `passkeyDismissed`, `passkeyElsewhere` and `notOffered`, among others.
     */
    ask: fromPromise<UsedPasskey>(async () => notProvided("ask")),
    /**
     * Rejects with the codes `passkeyUnknown`, `passkeyRefused`, `passkeyCopied` and `passkeyExpired`, among others.
     */
    check: fromPromise<PasskeySignedIn, { used: UsedPasskey | null }>(async () => notProvided("check")),
  },
  actions: {
    assignUsed: assign((_, used: UsedPasskey) => ({ used, failure: null })),
    dropUsed: assign({ used: null }),
    assignFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    clearFailure: assign({ failure: null }),
    /** Signs in; navigation follows from that. */
    begin: (_, _signedIn: PasskeySignedIn) => notProvided("begin"),
  },
  guards: {
    hasField: ({ context }) => context.hasField,
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
  },
  delays: { renewal: renewalMs },
}).createMachine({
  id: "passkeySignIn",
  context: ({ input: { hasField } }) => ({ hasField, used: null, failure: null }),
  initial: "ready",
  states: {
    ready: {
      on: { "passkey.requested": "asking" },
      initial: "choosing",
      states: {
        choosing: { always: [{ guard: "hasField", target: "offering" }, { target: "quiet" }] },
        /** The browser offers passkeys in the field, as it offers passwords. */
        offering: {
          invoke: {
            src: "offer",
            onDone: { target: "#passkeySignIn.checking", actions: withOutput("assignUsed") },
            onError: [
              { guard: withEvent("isNotOffered"), target: "#passkeySignIn.unavailable" },
              // The person has not asked for a passkey yet: only the button is shown.
              { target: "quiet" },
            ],
          },
          after: { renewal: { target: "offering", reenter: true } },
        },
        quiet: {},
      },
    },
    /** The device asks the person to confirm. */
    asking: {
      tags: "busy",
      entry: "clearFailure",
      invoke: {
        src: "ask",
        onDone: { target: "checking", actions: withOutput("assignUsed") },
        onError: [
          { guard: withEvent("isNotOffered"), target: "unavailable" },
          { target: "ready", actions: withEvent("assignFailure") },
        ],
      },
    },
    checking: {
      tags: "busy",
      exit: "dropUsed",
      invoke: {
        src: "check",
        input: ({ context: { used } }) => ({ used }),
        onDone: { target: "signedIn", actions: withOutput("begin") },
        onError: { target: "ready", actions: withEvent("assignFailure") },
      },
    },
    signedIn: { type: "final" },
    unavailable: { tags: "unavailable", type: "final" },
  },
});

type Snapshot = SnapshotFrom<typeof passkeySignInMachine>;

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.hasTag("unavailable");
/** The device, or the server, is asked. */
export const selectIsBusy = (snapshot: Snapshot): boolean => snapshot.hasTag("busy");
/** Why the last one failed: an error code of the contract, or one of the browser's; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
