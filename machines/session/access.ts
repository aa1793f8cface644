import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";

/** What a page asks of whoever opens it (SPEC.md section 2). `paid` pages may let the free tier in. */
export type Need = "signedIn" | "paid" | "superuser";

/** Where somebody is sent who may not go on, and what is said about it (a key of the locale files). */
export type Denial =
  | { to: "/signin"; toast: "toast.authCheckFailed" | null }
  | { to: "/dashboard"; toast: "toast.accessDenied" | "toast.profileFailed" }
  | { to: "/subscription"; toast: "toast.subscriptionNeeded" | "toast.subscriptionFailed" }
  /** Who does not want to wait any longer. */
  | { to: "/"; toast: null };

export type Verdict = { granted: true; warning: "toast.profileFailed" | null } | { granted: false; denial: Denial };

export type AccessEvent =
  /** The person wants what is waited for to be asked for again. */
  | { type: "retry.requested" }
  /** The person does not want to wait any longer. */
  | { type: "leave.requested" };

interface AccessInput {
  need: Need;
  /** It is asked for the page that people are sent to who lack something: they can't be sent there again. */
  isDashboard?: boolean;
}

interface AccessContext extends Required<AccessInput> {
  profileFailed: boolean;
  denial: Denial | null;
  /** It is taking so long that the person is told, and asked. */
  isSlow: boolean;
}

/** There is no time-out (SPEC.md section 9, "Request time-out"); after this long the person is asked whether they want to wait (ms). */
const slowAfter = 10_000;

/**
 * Whether somebody may open a page (SPEC.md section 2, "Route guard"): its states are what the pending screen says. A navigation
 * makes one and waits for its verdict.
 */
export const accessMachine = setup({
  types: { context: {} as AccessContext, events: {} as AccessEvent, input: {} as AccessInput, output: {} as Verdict },
  actors: {
    authenticate: fromPromise<boolean>(async () => notProvided("authenticate")),
    loadProfile: fromPromise<unknown>(async () => notProvided("loadProfile")),
    /** By the server's word: what this browser remembers of a person may be out of date. */
    verifyPermissions: fromPromise<Pick<UserProfile, "isSuperUser">>(async () => notProvided("verifyPermissions")),
    checkSubscription: fromPromise<{ premium: boolean }>(async () => notProvided("checkSubscription")),
  },
  actions: {
    deny: assign({ denial: (_, denial: Denial) => denial }),
    noteNoProfile: assign({ profileFailed: true }),
    noteSlow: assign({ isSlow: true }),
    beginAnew: assign({ isSlow: false, profileFailed: false }),
    /** Whoever is being asked is asked once more: an answer may be lost. */
    askAgain: () => notProvided("askAgain"),
  },
  guards: {
    lacksProfile: ({ context }) => context.profileFailed && !context.isDashboard,
    needsPermission: ({ context }) => context.need === "superuser",
    needsSubscription: ({ context }) => context.need === "paid",
    isSuperUser: (_, { isSuperUser }: Pick<UserProfile, "isSuperUser">) => isSuperUser,
  },
  delays: { slowAfter },
}).createMachine({
  id: "access",
  context: ({ input: { need, isDashboard = false } }) => ({
    need,
    isDashboard,
    profileFailed: false,
    denial: null,
    isSlow: false,
  }),
  initial: "checking",
  states: {
    checking: {
      initial: "authenticating",
      after: { slowAfter: { actions: "noteSlow" } },
      on: {
        "retry.requested": { target: "checking", reenter: true, actions: ["beginAnew", "askAgain"] },
        "leave.requested": { target: "sentElsewhere", actions: { type: "deny", params: { to: "/", toast: null } } },
      },
      states: {
        authenticating: {
          invoke: {
            src: "authenticate",
            onDone: [
              { guard: ({ event }) => event.output, target: "loadingProfile" },
              { target: "#access.sentElsewhere", actions: { type: "deny", params: { to: "/signin", toast: null } } },
            ],
            onError: {
              target: "#access.sentElsewhere",
              actions: { type: "deny", params: { to: "/signin", toast: "toast.authCheckFailed" } },
            },
          },
        },
        loadingProfile: {
          invoke: {
            src: "loadProfile",
            onDone: "verifyingPermissions",
            onError: { target: "verifyingPermissions", actions: "noteNoProfile" },
          },
        },
        verifyingPermissions: {
          initial: "deciding",
          states: {
            deciding: {
              always: [
                {
                  guard: "lacksProfile",
                  target: "#access.sentElsewhere",
                  actions: { type: "deny", params: { to: "/dashboard", toast: "toast.profileFailed" } },
                },
                { guard: "needsPermission", target: "asking" },
                { guard: "needsSubscription", target: "#access.checking.checkingSubscription" },
                { target: "#access.granted" },
              ],
            },
            asking: {
              invoke: {
                src: "verifyPermissions",
                onDone: [
                  { guard: { type: "isSuperUser", params: ({ event }) => event.output }, target: "#access.granted" },
                  {
                    target: "#access.sentElsewhere",
                    actions: { type: "deny", params: { to: "/dashboard", toast: "toast.accessDenied" } },
                  },
                ],
                onError: {
                  target: "#access.sentElsewhere",
                  actions: { type: "deny", params: { to: "/dashboard", toast: "toast.profileFailed" } },
                },
              },
            },
          },
        },
        checkingSubscription: {
          invoke: {
            src: "checkSubscription",
            onDone: [
              { guard: ({ event }) => event.output.premium, target: "#access.granted" },
              {
                target: "#access.sentElsewhere",
                actions: { type: "deny", params: { to: "/subscription", toast: "toast.subscriptionNeeded" } },
              },
            ],
            onError: {
              target: "#access.sentElsewhere",
              actions: { type: "deny", params: { to: "/subscription", toast: "toast.subscriptionFailed" } },
            },
          },
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

export type AccessStage = "authenticating" | "loadingProfile" | "verifyingPermissions" | "checkingSubscription";

/** What the pending screen says: a key of `checking.*`. */
export function selectStage(snapshot: Snapshot): AccessStage {
  if (snapshot.matches({ checking: "loadingProfile" })) return "loadingProfile";
  if (snapshot.matches({ checking: "checkingSubscription" })) return "checkingSubscription";
  return snapshot.matches({ checking: "authenticating" }) ? "authenticating" : "verifyingPermissions";
}
/** Whether it takes so long that the person is asked what they want. */
export const selectIsSlow = (snapshot: Snapshot): boolean => snapshot.context.isSlow;
