import { assign, enqueueActions, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { AdminBackups } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type AdminBackupsEvent =
  /** The person wants the list again. */
  | { type: "refresh.requested" }
  /** The person wants a backup now. */
  | { type: "backup.requested" };

/** Emitted to the page. */
export type AdminBackupsEmitted =
  /** The backup that was seen in progress is complete, or has failed. */
  { type: "backup.made" } | { type: "backup.failed" };

interface AdminBackupsContext {
  /** The latest answer; it stays while it is refreshed. Null before the first. */
  seen: AdminBackups | null;
  /** Why the person's last request failed, and why the shown data may be outdated: error codes of the contract. */
  failure: string | null;
  staleness: string | null;
}

/** Backups at /admin: which there are, one more now, and how far it is. */
export const adminBackupsMachine = setup({
  types: {
    context: {} as AdminBackupsContext,
    events: {} as AdminBackupsEvent,
    emitted: {} as AdminBackupsEmitted,
  },
  actors: {
    fetchBackups: fromPromise<AdminBackups>(async () => notProvided("fetchBackups")),
    /** Resolves when the backup has started. */
    begin: fromPromise<AdminBackups>(async () => notProvided("begin")),
  },
  actions: {
    assignSeen: enqueueActions(({ context: { seen }, enqueue }, output: AdminBackups) => {
      const hasEnded = seen !== null && seen.running !== null && output.running === null;
      if (hasEnded) enqueue.emit({ type: output.failure === null ? "backup.made" : "backup.failed" });
      enqueue.assign({ seen: output, staleness: null });
    }),
    clearFailure: assign({ failure: null }),
    fail: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    markStale: assign({ staleness: (_, { error }: Failed) => codeOf(error) }),
  },
  guards: {
    isAtRest: ({ context }) => context.seen?.running === null,
  },
  delays: {
    /** Short while one is being made. */
    pollInterval: ({ context }) => (context.seen?.running == null ? 30_000 : 1_000),
  },
}).createMachine({
  id: "adminBackups",
  context: { seen: null, failure: null, staleness: null },
  initial: "loading",
  states: {
    loading: {
      entry: "clearFailure",
      invoke: {
        src: "fetchBackups",
        onDone: { target: "ready", actions: withOutput("assignSeen") },
        onError: { target: "failed", actions: withEvent("fail") },
      },
    },
    failed: { on: { "refresh.requested": "loading" } },
    ready: {
      initial: "resting",
      on: { "backup.requested": { guard: "isAtRest", target: "beginning", actions: "clearFailure" } },
      states: {
        resting: { after: { pollInterval: "polling" }, on: { "refresh.requested": "polling" } },
        polling: {
          invoke: {
            src: "fetchBackups",
            onDone: { target: "resting", actions: withOutput("assignSeen") },
            onError: { target: "resting", actions: withEvent("markStale") },
          },
        },
      },
    },
    beginning: {
      invoke: {
        src: "begin",
        onDone: { target: "ready", actions: withOutput("assignSeen") },
        // Someone else may have started a backup: the next answer shows it.
        onError: { target: "ready.polling", actions: withEvent("fail") },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof adminBackupsMachine>;

/** Null before the first answer. */
export const selectBackups = (snapshot: Snapshot): AdminBackups | null => snapshot.context.seen;
export const selectBackupsAreLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** Whether a requested backup is not confirmed as started yet. */
export const selectBackupIsBeginning = (snapshot: Snapshot): boolean => snapshot.matches("beginning");
/** An error code of the contract; null unless the person's last request failed. */
export const selectBackupsFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
/** An error code of the contract; null unless the shown data may be outdated. */
export const selectBackupsStaleness = (snapshot: Snapshot): string | null => snapshot.context.staleness;
