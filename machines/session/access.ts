import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withOutput } from "#machines/with-event.ts";

/** What a page requires of its visitor (SPEC.md section 2). `paid` pages may let the free tier in. */
export type Need = "signedIn" | "paid" | "superuser";

/** Where a refused visitor is redirected, and the message (a key of the locale files). */
export type Denial =
  | { to: "/signin"; toast: "toast.authCheckFailed" | null }
  | { to: "/dashboard"; toast: "toast.accessDenied" | "toast.profileFailed" }
  | { to: "/subscription"; toast: "toast.subscriptionNeeded" | "toast.subscriptionFailed" }
  /** The operator wants a second factor of superusers, and this one has none yet. */
  | { to: "/settings"; toast: "errors.secondFactorNeeded" }
  /** The person does not want to wait any longer. */
  | { to: "/"; toast: null };

export type Verdict = { granted: true; warning: "toast.profileFailed" | null } | { granted: false; denial: Denial };

type Rights = Pick<UserProfile, "isSuperUser" | "lacksSecondFactor">;

export type AccessEvent =
  /** The person retries the pending request. */
  | { type: "retry.requested" }
  /** The person cancels. */
  | { type: "leave.requested" };

const stages = ["authenticating", "loadingProfile", "verifyingPermissions", "checkingSubscription"] as const;
export type AccessStage = (typeof stages)[number];

interface AccessInput {
  need: Need;
  /** The guarded page is itself the redirect target of the refusal: no redirect to it. */
  isDashboard?: boolean;
}

interface AccessContext extends Required<AccessInput> {
  profileFailed: boolean;
  denial: Denial | null;
  /** The check takes so long that the person is asked whether to wait. */
  isSlow: boolean;
}

/**
 * The ms after which the person is asked whether to wait. There is no time-out (SPEC.md section 9, "Request time-out").
 */
const slowAfter = 10_000;

/**
 * Whether a page may be opened (SPEC.md section 2, "Route guard"): the pending screen shows its states. Each navigation
 * starts one and awaits its verdict.
 */
export const accessMachine = setup({
  types: {
    context: {} as AccessContext,
    events: {} as AccessEvent,
    input: {} as AccessInput,
    output: {} as Verdict,
    tags: {} as AccessStage,
  },
  actors: {
    authenticate: fromPromise<boolean>(async () => notProvided("authenticate")),
    loadProfile: fromPromise<unknown>(async () => notProvided("loadProfile")),
    /** The server decides: the profile persisted in this browser may be stale. */
    verifyPermissions: fromPromise<Rights>(async () => notProvided("verifyPermissions")),
    checkSubscription: fromPromise<{ premium: boolean }>(async () => notProvided("checkSubscription")),
    /** Whether a person without a subscription has stored data behind the gate, which remains theirs. */
    checkStored: fromPromise<{ stored: boolean }>(async () => notProvided("checkStored")),
  },
  actions: {
    deny: assign({ denial: (_, denial: Denial) => denial }),
    recordMissingProfile: assign({ profileFailed: true }),
    noteSlow: assign({ isSlow: true }),
    startOver: assign({ isSlow: false, profileFailed: false }),
    /** The pending request is repeated: an answer may be lost. */
    retryRequests: () => notProvided("retryRequests"),
  },
  guards: {
    lacksProfile: ({ context }) => context.profileFailed && !context.isDashboard,
    needsPermission: ({ context }) => context.need === "superuser",
    needsSubscription: ({ context }) => context.need === "paid",
    mustSetUp: (_, { isSuperUser, lacksSecondFactor = false }: Rights) => isSuperUser && lacksSecondFactor,
    isSuperUser: (_, { isSuperUser }: Rights) => isSuperUser,
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
        "retry.requested": { target: "checking", reenter: true, actions: ["startOver", "retryRequests"] },
        "leave.requested": { target: "sentElsewhere", actions: { type: "deny", params: { to: "/", toast: null } } },
      },
      states: {
        authenticating: {
          tags: "authenticating",
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
          tags: "loadingProfile",
          invoke: {
            src: "loadProfile",
            onDone: "verifyingPermissions",
            onError: { target: "verifyingPermissions", actions: "recordMissingProfile" },
          },
        },
        verifyingPermissions: {
          tags: "verifyingPermissions",
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
                  {
                    guard: withOutput("mustSetUp"),
                    target: "#access.sentElsewhere",
                    actions: { type: "deny", params: { to: "/settings", toast: "errors.secondFactorNeeded" } },
                  },
                  { guard: withOutput("isSuperUser"), target: "#access.granted" },
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
          tags: "checkingSubscription",
          invoke: {
            src: "checkSubscription",
            onDone: [{ guard: ({ event }) => event.output.premium, target: "#access.granted" }, { target: "checkingStored" }],
            onError: {
              target: "#access.sentElsewhere",
              actions: { type: "deny", params: { to: "/subscription", toast: "toast.subscriptionFailed" } },
            },
          },
        },
        /** Data from the time of a subscription remains accessible without one; only new data can't be added. */
        checkingStored: {
          tags: "checkingSubscription",
          invoke: {
            src: "checkStored",
            onDone: [
              { guard: ({ event }) => event.output.stored, target: "#access.granted" },
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

/** The pending screen's text: a key of `checking.*`. */
export const selectStage = (snapshot: Snapshot): AccessStage =>
  stages.find((stage) => snapshot.hasTag(stage)) ?? "verifyingPermissions";
/** Whether it takes so long that the person is asked what to do. */
export const selectIsSlow = (snapshot: Snapshot): boolean => snapshot.context.isSlow;
