import { assign, enqueueActions, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ScheduledRun, ScheduledStatus } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type ScheduledPostingEvent =
  /** The page: the panel is shown; the person: refresh. */
  | { type: "status.requested" }
  /** The person requests a post now. */
  | { type: "trigger.requested" }
  /** The person skips the next run, or takes the skip back. */
  | { type: "skip.requested"; skip: boolean };

/** Emitted to the page. */
export type ScheduledPostingEmitted =
  /** There is a new post. */
  { type: "post.generated" };

interface ScheduledPostingInput {
  /** Epoch ms. */
  now(): number;
}

/** The server's status, and when it was answered (epoch ms): relative times count from there. */
export interface SeenStatus {
  status: ScheduledStatus;
  at: number;
}

interface ScheduledPostingContext extends ScheduledPostingInput {
  seen: SeenStatus | null;
  /** The person's last choice for the next run: skip it or not. */
  skip: boolean;
  /** The run started by this person. */
  begun: string | null;
  /** Why the last request failed, and why the shown data may be outdated: keys of the locale files. */
  failure: string | null;
  staleness: string | null;
}

const statusOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "status" in error ? error.status : undefined;

type Wanted = "fetch" | "trigger" | "skip";

/** SPEC.md section 8 has a sentence for a network failure. */
const keyOf = (error: unknown, wanted: Wanted): string =>
  statusOf(error) === 0 ? `scheduled-posting:network.${wanted}` : `errors.${codeOf(error)}`;

/** Scheduled posting for a superuser: polled, started by hand, skipped once. */
export const scheduledPostingMachine = setup({
  types: {
    context: {} as ScheduledPostingContext,
    events: {} as ScheduledPostingEvent,
    emitted: {} as ScheduledPostingEmitted,
    input: {} as ScheduledPostingInput,
  },
  actors: {
    fetchStatus: fromPromise<ScheduledStatus>(async () => notProvided("fetchStatus")),
    /** Resolves when the run has started, not at its end. */
    trigger: fromPromise<ScheduledStatus>(async () => notProvided("trigger")),
    skipNext: fromPromise<ScheduledStatus, { skip: boolean }>(async () => notProvided("skipNext")),
  },
  actions: {
    assignSeen: enqueueActions(({ context: { seen, now }, enqueue }, output: ScheduledStatus) => {
      if (seen !== null && output.postsGenerated > seen.status.postsGenerated) enqueue.emit({ type: "post.generated" });
      enqueue.assign({ seen: { status: output, at: now() }, staleness: null });
    }),
    rememberSkip: assign({ skip: (_, { skip }: { skip: boolean }) => skip }),
    rememberBegun: assign({
      begun: (_, output: ScheduledStatus) => output.history[0]?.id ?? null,
    }),
    clearFailure: assign({ failure: null }),
    clearBegun: assign({ begun: null }),
    fail: assign({ failure: (_, { error, wanted }: { error: unknown; wanted: Wanted }) => keyOf(error, wanted) }),
    markStale: assign({ staleness: (_, { error }: Failed) => keyOf(error, "fetch") }),
    resetContext: assign({ seen: null, begun: null, failure: null, staleness: null }),
  },
  guards: {
    /** SPEC.md section 8: a server that answers 404 does not know scheduled posting. */
    isUnknown: (_, { error }: Failed) => statusOf(error) === 404,
    isScheduled: ({ context }) => context.seen?.status.enabled === true,
    isAtRest: ({ context }) => context.seen?.status.status !== "running",
  },
  delays: {
    /** Short while a run is under way, else until about when the next one is due. */
    pollInterval: ({ context: { seen, now } }) => nextPollIn(seen, now()),
  },
}).createMachine({
  id: "scheduledPosting",
  context: ({ input }) => ({ now: input.now, seen: null, skip: false, begun: null, failure: null, staleness: null }),
  initial: "idle",
  states: {
    idle: { on: { "status.requested": "loading" } },
    loading: {
      entry: "clearFailure",
      invoke: {
        src: "fetchStatus",
        onDone: { target: "ready", actions: withOutput("assignSeen") },
        onError: [
          { guard: withEvent("isUnknown"), target: "unavailable" },
          { target: "error", actions: { type: "fail", params: ({ event }) => ({ error: event.error, wanted: "fetch" }) } },
        ],
      },
    },
    ready: {
      initial: "resting",
      on: {
        "trigger.requested": { guard: "isAtRest", target: "triggering", actions: ["clearFailure", "clearBegun"] },
        "skip.requested": { guard: "isScheduled", target: "skipping", actions: ["clearFailure", withEvent("rememberSkip")] },
      },
      states: {
        resting: { after: { pollInterval: "polling" }, on: { "status.requested": "polling" } },
        polling: {
          invoke: {
            src: "fetchStatus",
            onDone: { target: "resting", actions: withOutput("assignSeen") },
            onError: [
              { guard: withEvent("isUnknown"), target: "#scheduledPosting.unavailable" },
              { target: "resting", actions: withEvent("markStale") },
            ],
          },
        },
      },
    },
    triggering: {
      invoke: {
        src: "trigger",
        onDone: { target: "ready", actions: [withOutput("assignSeen"), withOutput("rememberBegun")] },
        onError: [
          { guard: withEvent("isUnknown"), target: "unavailable" },
          { target: "ready", actions: { type: "fail", params: ({ event }) => ({ error: event.error, wanted: "trigger" }) } },
        ],
      },
    },
    skipping: {
      invoke: {
        src: "skipNext",
        input: ({ context }) => ({ skip: context.skip }),
        onDone: { target: "ready", actions: withOutput("assignSeen") },
        onError: [
          { guard: withEvent("isUnknown"), target: "unavailable" },
          { target: "ready", actions: { type: "fail", params: ({ event }) => ({ error: event.error, wanted: "skip" }) } },
        ],
      },
    },
    unavailable: { entry: "resetContext", on: { "status.requested": "loading" } },
    error: { on: { "status.requested": "loading" } },
  },
});

type Snapshot = SnapshotFrom<typeof scheduledPostingMachine>;

/** The server's latest status; null before the first answer. */
export const selectSchedule = (snapshot: Snapshot): SeenStatus | null => snapshot.context.seen;
export const selectScheduleIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
export const selectScheduleIsUnavailable = (snapshot: Snapshot): boolean => snapshot.matches("unavailable");
/** A key of the locale files: why the last request failed. */
export const selectScheduleFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
/** Why the shown data may be outdated: a key of the locale files. */
export const selectStaleness = (snapshot: Snapshot): string | null => snapshot.context.staleness;
export const selectIsTriggering = (snapshot: Snapshot): boolean => snapshot.matches("triggering");
export const selectIsSkipping = (snapshot: Snapshot): boolean => snapshot.matches("skipping");
/** Whether a post is being generated, by any request. */
export const selectIsWriting = (snapshot: Snapshot): boolean => snapshot.context.seen?.status.status === "running";
/** The run started by this person; null before, and when it is too old to show. */
export const selectBegunRun = ({ context: { seen, begun } }: Snapshot): ScheduledRun | null =>
  seen?.status.history.find(({ id }) => id === begun) ?? null;

/** The poll interval. @param now epoch ms */
export function nextPollIn(seen: SeenStatus | null, now: number): number {
  if (seen === null || seen.status.status === "running") return minPollMs;
  const next = seen.status.nextRunTime === null ? Number.NaN : Date.parse(seen.status.nextRunTime) - now + minPollMs;
  return Number.isNaN(next) ? maxPollMs : Math.min(maxPollMs, Math.max(minPollMs, next));
}

/** In ms. */
const minPollMs = 2_000;
const maxPollMs = 60_000;
