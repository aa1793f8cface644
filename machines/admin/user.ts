import { assign, emit, fromPromise, setup } from "xstate";
import type { AdminUser, AuditAction } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

/** What can be done about somebody. */
export type UserAction = Exclude<AuditAction, "retryJob">;

/** What a superuser has filled in. */
export interface UserChange {
  action: UserAction;
  /** The last day of what is given ("2026-12-24"); "" where none is asked for. */
  until: string;
  reason: string;
}

export type AdminUserEvent =
  /** The person tries again. */
  | { type: "refresh.requested" }
  /** The form: what is to be done; then that it is to be done, `today` as "2026-11-21". */
  | { type: "action.chosen"; action: UserAction }
  | { type: "change.asked"; until: string; reason: string; today: string }
  /** The dialog that asks once more: so it is, or not. */
  | { type: "change.confirmed" }
  | { type: "change.dismissed" };

/** What the rest of the page hears. */
export type AdminUserEmitted = { type: "changed"; action: UserAction };

/** What is missing in the form. */
export type ChangeProblem = "until" | "reason";

interface AdminUserContext {
  id: string;
  /** As the server told last; null before. */
  user: AdminUser | null;
  /** Why it can't be told: a code of the contract. */
  error: string | null;
  /** What was chosen; null: nothing yet. */
  action: UserAction | null;
  change: UserChange | null;
  problem: ChangeProblem | null;
  /** Why the last change was not made: a code of the contract. */
  failure: string | null;
  /** How many changes were made: the form is empty after each. */
  changes: number;
}

const over: readonly string[] = ["canceled", "incomplete_expired"];

/** Whether a last day belongs to it. */
export const needsDay = (action: UserAction | null): boolean => action === "grantPremium" || action === "changeGrant";

/** What can be done about this person at the moment. */
export function actionsFor({ subscription, signIns, superuser }: AdminUser): UserAction[] {
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
  return [...money, ...devices, superuser ? "takeSuperuser" : "giveSuperuser"];
}

/** One person, as the admin panel shows them: what is told of them, and what is done about them, after being asked once more. */
export const adminUserMachine = setup({
  types: {
    context: {} as AdminUserContext,
    events: {} as AdminUserEvent,
    emitted: {} as AdminUserEmitted,
    input: {} as { id: string },
  },
  actors: {
    fetchUser: fromPromise<AdminUser, { id: string }>(async () => notProvided("fetchUser")),
    /** Resolves with the person as they are now. */
    changeUser: fromPromise<AdminUser, { id: string; change: UserChange | null }>(async () => notProvided("changeUser")),
  },
  actions: {
    keepUser: assign((_, { output }: { output: AdminUser }) => ({ user: output, error: null })),
    keepError: assign({ error: (_, { error }: { error: unknown }) => codeOf(error) }),
    choose: assign((_, { action }: { action: UserAction }) => ({ action, problem: null, failure: null })),
    keepChange: assign(({ context }, { until, reason }: { until: string; reason: string }) => ({
      change: context.action && { action: context.action, until, reason: reason.trim() },
      problem: null,
      failure: null,
    })),
    complain: assign({ problem: (_, { problem }: { problem: ChangeProblem }) => problem }),
    keepFailure: assign({ failure: (_, { error }: { error: unknown }) => codeOf(error) }),
    emptyForm: assign({ action: null, change: null, changes: ({ context }) => context.changes + 1 }),
    emitChanged: emit(({ context }): AdminUserEmitted => ({ type: "changed", action: context.change?.action ?? "signOut" })),
  },
  guards: {
    hasAction: ({ context }) => context.action !== null,
    lacksDay: ({ context }, { until, today }: { until: string; today: string }) => needsDay(context.action) && until <= today,
    lacksReason: ({ context }, { reason }: { reason: string }) => context.action !== null && reason.trim().length < 3,
  },
}).createMachine({
  id: "adminUser",
  context: ({ input }) => ({
    ...{ id: input.id, user: null, error: null },
    ...{ action: null, change: null, problem: null, failure: null, changes: 0 },
  }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "fetchUser",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "ready", actions: { type: "keepUser", params: ({ event }) => event } },
        onError: { target: "failed", actions: { type: "keepError", params: ({ event }) => event } },
      },
    },
    failed: { on: { "refresh.requested": "loading" } },
    ready: {
      on: {
        "refresh.requested": "loading",
        "action.chosen": { actions: { type: "choose", params: ({ event }) => event } },
        "change.asked": [
          {
            guard: { type: "lacksDay", params: ({ event }) => event },
            actions: { type: "complain", params: { problem: "until" } },
          },
          {
            guard: { type: "lacksReason", params: ({ event }) => event },
            actions: { type: "complain", params: { problem: "reason" } },
          },
          { guard: "hasAction", target: "confirming", actions: { type: "keepChange", params: ({ event }) => event } },
        ],
      },
    },
    confirming: { on: { "change.confirmed": "changing", "change.dismissed": "ready" } },
    changing: {
      invoke: {
        src: "changeUser",
        input: ({ context }) => ({ id: context.id, change: context.change }),
        onDone: {
          target: "ready",
          actions: [{ type: "keepUser", params: ({ event }) => event }, "emitChanged", "emptyForm"],
        },
        onError: { target: "ready", actions: { type: "keepFailure", params: ({ event }) => event } },
      },
    },
  },
});

type Snapshot = ReturnType<typeof adminUserMachine.getInitialSnapshot>;

export const selectUser = (snapshot: Snapshot): AdminUser | null => snapshot.context.user;
/** A code of the contract; null unless nothing could be told. */
export const selectUserError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.error : null;
export const selectAction = (snapshot: Snapshot): UserAction | null => snapshot.context.action;
/** What was filled in, while it is asked once more; else null. */
export const selectAskedChange = (snapshot: Snapshot): UserChange | null =>
  snapshot.matches("confirming") ? snapshot.context.change : null;
export const selectProblem = (snapshot: Snapshot): ChangeProblem | null => snapshot.context.problem;
/** A code of the contract: why the last change was not made. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
export const selectIsChanging = (snapshot: Snapshot): boolean => snapshot.matches("changing");
export const selectChanges = (snapshot: Snapshot): number => snapshot.context.changes;
