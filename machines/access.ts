import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { UserProfile } from "../src/api/contract/index.ts";

/** What a page asks of whoever opens it (SPEC.md section 2). `paid` pages may let the free tier in. */
export type Need = "signedIn" | "paid" | "superuser";

/** Where somebody is sent who may not go on, and what is said about it (a key of the locale files). */
export type Denial =
  | { to: "/signin"; toast: "toast.authCheckFailed" | null }
  | { to: "/dashboard"; toast: "toast.accessDenied" | "toast.profileFailed" }
  | { to: "/subscription"; toast: "toast.subscriptionNeeded" | "toast.subscriptionFailed" };

export type Verdict = { granted: true; warning: "toast.profileFailed" | null } | { granted: false; denial: Denial };

interface AccessInput {
  need: Need;
  /** It is asked for the page that people are sent to who lack something: they can't be sent there again. */
  isDashboard?: boolean;
}

interface AccessContext extends Required<AccessInput> {
  isSuperUser: boolean;
  profileFailed: boolean;
  denial: Denial | null;
}

/** A call that stays without an answer for so long has failed (ms): nobody looks at an endless spinner. */
const patience = 10_000;

/**
 * Whether somebody may open a page (SPEC.md section 2, "Route guard"): its states are what the pending screen says. A navigation
 * makes one and waits for its verdict.
 */
export const accessMachine = setup({
  types: { context: {} as AccessContext, input: {} as AccessInput, output: {} as Verdict },
  actors: {
    authenticate: fromPromise<boolean>(() => Promise.reject(new Error("authenticate was not provided"))),
    loadProfile: fromPromise<Pick<UserProfile, "isSuperUser">>(() => Promise.reject(new Error("loadProfile was not provided"))),
    checkSubscription: fromPromise<{ premium: boolean }>(() => Promise.reject(new Error("checkSubscription was not provided"))),
  },
  actions: {
    deny: assign({ denial: (_, denial: Denial) => denial }),
    noteProfile: assign({ isSuperUser: (_, { isSuperUser }: { isSuperUser: boolean }) => isSuperUser }),
    noteNoProfile: assign({ profileFailed: true }),
  },
  guards: {
    lacksProfile: ({ context }) => context.profileFailed && !context.isDashboard,
    lacksPermission: ({ context }) => context.need === "superuser" && !context.isSuperUser,
    needsSubscription: ({ context }) => context.need === "paid",
  },
  delays: { patience },
}).createMachine({
  id: "access",
  context: ({ input: { need, isDashboard = false } }) => ({
    need,
    isDashboard,
    isSuperUser: false,
    profileFailed: false,
    denial: null,
  }),
  initial: "authenticating",
  states: {
    authenticating: {
      invoke: {
        src: "authenticate",
        onDone: [
          { guard: ({ event }) => event.output, target: "loadingProfile" },
          { target: "sentElsewhere", actions: { type: "deny", params: { to: "/signin", toast: null } } },
        ],
        onError: {
          target: "sentElsewhere",
          actions: { type: "deny", params: { to: "/signin", toast: "toast.authCheckFailed" } },
        },
      },
    },
    loadingProfile: {
      invoke: {
        src: "loadProfile",
        onDone: { target: "verifyingPermissions", actions: { type: "noteProfile", params: ({ event }) => event.output } },
        onError: { target: "verifyingPermissions", actions: "noteNoProfile" },
      },
      after: { patience: { target: "verifyingPermissions", actions: "noteNoProfile" } },
    },
    verifyingPermissions: {
      always: [
        {
          guard: "lacksProfile",
          target: "sentElsewhere",
          actions: { type: "deny", params: { to: "/dashboard", toast: "toast.profileFailed" } },
        },
        {
          guard: "lacksPermission",
          target: "sentElsewhere",
          actions: { type: "deny", params: { to: "/dashboard", toast: "toast.accessDenied" } },
        },
        { guard: "needsSubscription", target: "checkingSubscription" },
        { target: "granted" },
      ],
    },
    checkingSubscription: {
      invoke: {
        src: "checkSubscription",
        onDone: [
          { guard: ({ event }) => event.output.premium, target: "granted" },
          {
            target: "sentElsewhere",
            actions: { type: "deny", params: { to: "/subscription", toast: "toast.subscriptionNeeded" } },
          },
        ],
        onError: {
          target: "sentElsewhere",
          actions: { type: "deny", params: { to: "/subscription", toast: "toast.subscriptionFailed" } },
        },
      },
      after: {
        patience: {
          target: "sentElsewhere",
          actions: { type: "deny", params: { to: "/subscription", toast: "toast.subscriptionFailed" } },
        },
      },
    },
    granted: { type: "final" },
    sentElsewhere: { type: "final" },
  },
  output: ({ context }): Verdict =>
    context.denial === null
      ? { granted: true, warning: context.profileFailed ? "toast.profileFailed" : null }
      : { granted: false, denial: context.denial },
});

type Snapshot = SnapshotFrom<typeof accessMachine>;

/** What the pending screen says: a key of `checking.*`. */
export function selectStage(
  snapshot: Snapshot,
): "authenticating" | "loadingProfile" | "verifyingPermissions" | "checkingSubscription" {
  if (snapshot.matches("loadingProfile")) return "loadingProfile";
  if (snapshot.matches("checkingSubscription")) return "checkingSubscription";
  return snapshot.matches("authenticating") ? "authenticating" : "verifyingPermissions";
}
