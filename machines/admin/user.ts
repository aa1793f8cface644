import { assign, emit, fromPromise, setup } from "xstate";
import type { AdminUser, AuditAction } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** The actions on a user. */
export type UserAction = Exclude<AuditAction, "retryJob" | "cancelJob">;

/** The input of a superuser. */
export interface UserChange {
  action: UserAction;
  /** The last day of a grant ("2026-12-24"); "" where none is needed. */
  until: string;
  reason: string;
}

export type AdminUserEvent =
  /** The person retries. */
  | { type: "refresh.requested" }
  /** The form: the chosen action; then its submission, `until` as "2026-11-21". */
  | { type: "action.chosen"; action: UserAction }
  | { type: "change.requested"; until: string; reason: string }
  /** The confirmation dialog: confirmed, or cancelled. */
  | { type: "change.confirmed" }
  | { type: "change.dismissed" };

/** Emitted to the rest of the page. */
export type AdminUserEmitted = { type: "user.changed"; action: UserAction };

/** The form's error. */
export type ChangeProblem = "until" | "reason";

interface AdminUserInput {
  id: string;
  /** Epoch ms. */
  now(): number;
}

interface AdminUserContext extends AdminUserInput {
  /** The server's latest answer; null before. */
  user: AdminUser | null;
  /** Why the fetch failed: an error code of the contract. */
  error: string | null;
  /** The chosen action; null for none yet. */
  action: UserAction | null;
  change: UserChange | null;
  problem: ChangeProblem | null;
  /** Why the last change failed: an error code of the contract. */
  failure: string | null;
  /** The number of changes made: the form is cleared after each. */
  changes: number;
}

const over: readonly string[] = ["canceled", "incomplete_expired"];

/** Whether the action needs a last day. */
export const needsDay = (action: UserAction | null): boolean => action === "grantPremium" || action === "changeGrant";

/** "2026-11-21" of a timestamp, in this device's time zone. */
export const dayOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** The actions currently available for this user. */
export function actionsFor({ subscription, signIns, superuser, confirmed, blocked, self }: AdminUser): UserAction[] {
  const isPaid = subscription !== null && subscription.provider !== null && !over.includes(subscription.status);
  const isGranted = subscription !== null && subscription.provider === null && subscription.premium;
  const money: UserAction[] = isPaid
    ? subscription.cancelAtPeriodEnd
      ? []
      : ["cancelSubscription"]
    : isGranted
      ? ["changeGrant", "endGrant"]
      : ["grantPremium"];
  const devices: UserAction[] = signIns.some(({ current }) => !current) ? ["signOut"] : [];
  const entry: UserAction[] = confirmed ? devices : ["confirmUser", ...devices];
  const rights: UserAction = superuser ? "takeSuperuser" : "giveSuperuser";
  // One's own account is closed in the settings, with the password.
  const end: UserAction[] = self ? [] : [blocked ? "unblockUser" : "blockUser", "deleteUser"];
  return [...money, ...entry, rights, ...end];
}

/** One user in the admin panel: their details, and the actions on them, each with a confirmation. */
export const adminUserMachine = setup({
  types: {
    context: {} as AdminUserContext,
    events: {} as AdminUserEvent,
    emitted: {} as AdminUserEmitted,
    input: {} as AdminUserInput,
  },
  actors: {
    fetchUser: fromPromise<AdminUser, { id: string }>(async () => notProvided("fetchUser")),
    /** Resolves with the user after the change; null: deleted. */
    changeUser: fromPromise<AdminUser | null, { id: string; change: UserChange | null }>(async () => notProvided("changeUser")),
  },
  actions: {
    assignUser: assign((_, user: AdminUser | null) => ({ user, error: null })),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
    choose: assign((_, { action }: { action: UserAction }) => ({ action, problem: null, failure: null })),
    assignChange: assign(({ context }, { until, reason }: { until: string; reason: string }) => ({
      change: context.action && { action: context.action, until, reason: reason.trim() },
      problem: null,
      failure: null,
    })),
    complain: assign({ problem: (_, { problem }: { problem: ChangeProblem }) => problem }),
    assignFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    emptyForm: assign({ action: null, change: null, changes: ({ context }) => context.changes + 1 }),
    emitChanged: emit(({ context }): AdminUserEmitted => ({ type: "user.changed", action: context.change?.action ?? "signOut" })),
  },
  guards: {
    isDeleted: (_, user: AdminUser | null) => user === null,
    hasAction: ({ context }) => context.action !== null,
    lacksDay: ({ context: { action, now } }, { until }: { until: string }) => needsDay(action) && until <= dayOf(new Date(now())),
    lacksReason: ({ context }, { reason }: { reason: string }) => context.action !== null && reason.trim().length < 3,
  },
}).createMachine({
  id: "adminUser",
  context: ({ input }) => ({
    ...input,
    user: null,
    error: null,
    action: null,
    change: null,
    problem: null,
    failure: null,
    changes: 0,
  }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "fetchUser",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "ready", actions: withOutput("assignUser") },
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    failed: { on: { "refresh.requested": "loading" } },
    ready: {
      on: {
        "refresh.requested": "loading",
        "action.chosen": { actions: withEvent("choose") },
        "change.requested": [
          { guard: withEvent("lacksDay"), actions: { type: "complain", params: { problem: "until" } } },
          { guard: withEvent("lacksReason"), actions: { type: "complain", params: { problem: "reason" } } },
          { guard: "hasAction", target: "confirming", actions: withEvent("assignChange") },
        ],
      },
    },
    confirming: { on: { "change.confirmed": "changing", "change.dismissed": "ready" } },
    changing: {
      invoke: {
        src: "changeUser",
        input: ({ context }) => ({ id: context.id, change: context.change }),
        onDone: [
          { guard: withOutput("isDeleted"), target: "deleted", actions: "emitChanged" },
          { target: "ready", actions: [withOutput("assignUser"), "emitChanged", "emptyForm"] },
        ],
        onError: { target: "ready", actions: withEvent("assignFailure") },
      },
    },
    /** The page goes back to the list. */
    deleted: { type: "final" },
  },
});

type Snapshot = ReturnType<typeof adminUserMachine.getInitialSnapshot>;

export const selectUser = (snapshot: Snapshot): AdminUser | null => snapshot.context.user;
/** An error code of the contract; null unless the fetch failed. */
export const selectUserError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.error : null;
export const selectAction = (snapshot: Snapshot): UserAction | null => snapshot.context.action;
/** The submitted form while it is being confirmed; else null. */
export const selectAskedChange = (snapshot: Snapshot): UserChange | null =>
  snapshot.matches("confirming") ? snapshot.context.change : null;
export const selectProblem = (snapshot: Snapshot): ChangeProblem | null => snapshot.context.problem;
/** Why the last change failed: an error code of the contract. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
export const selectIsChanging = (snapshot: Snapshot): boolean => snapshot.matches("changing");
export const selectChanges = (snapshot: Snapshot): number => snapshot.context.changes;
