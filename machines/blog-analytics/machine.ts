import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { AnalyticsRange, BlogAnalytics } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type BlogAnalyticsEvent =
  /** The page's address: the trends are to span so many days. */
  | { type: "range.chosen"; days: AnalyticsRange }
  /** The person: the numbers as they are now, or once more what has failed. */
  | { type: "refresh.requested" };

interface BlogAnalyticsContext {
  days: AnalyticsRange;
  /** What is shown; null while there is nothing. */
  analytics: BlogAnalytics | null;
  /** Whether what is shown is made up. */
  isSample: boolean;
  /** Why the last call did not work, as in the locale files' `errors`; null when it did. */
  failure: string | null;
  /** SPEC.md section 8: shown where the server has no analytics, or is not there. */
  sample: BlogAnalytics;
}

/** Whether the server has no such call, or can't be reached. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "status" in error && (error.status === 404 || error.status === 0);
}

/** The blog in numbers: the server's; sample data where it has none to give; those from before when they can't be had anew. */
export const blogAnalyticsMachine = setup({
  types: {
    context: {} as BlogAnalyticsContext,
    events: {} as BlogAnalyticsEvent,
    input: {} as { days: AnalyticsRange; sample: BlogAnalytics },
  },
  actors: {
    fetchAnalytics: fromPromise<BlogAnalytics, { days: AnalyticsRange }>(async () => notProvided("fetchAnalytics")),
  },
  actions: {
    chooseRange: assign({ days: (_, { days }: { days: AnalyticsRange }) => days }),
    keep: assign((_, { output }: { output: BlogAnalytics }) => ({ analytics: output, isSample: false, failure: null })),
    showSample: assign(({ context }) => ({ analytics: context.sample, isSample: true })),
    showNothing: assign({ analytics: null, isSample: false }),
    noteFailure: assign({ failure: (_, { error }: { error: unknown }) => codeOf(error) }),
  },
  guards: {
    isAnotherRange: ({ context }, { days }: { days: AnalyticsRange }) => days !== context.days,
    showsRealNumbers: ({ context }) => context.analytics !== null && !context.isSample,
    isMissing: (_, { error }: { error: unknown }) => isMissing(error),
  },
}).createMachine({
  id: "blogAnalytics",
  context: ({ input }) => ({ ...input, analytics: null, isSample: false, failure: null }),
  initial: "loading",
  on: {
    "range.chosen": {
      guard: { type: "isAnotherRange", params: ({ event }) => event },
      target: ".loading",
      reenter: true,
      actions: { type: "chooseRange", params: ({ event }) => event },
    },
  },
  states: {
    /** What was there stays to be seen. */
    loading: {
      invoke: {
        src: "fetchAnalytics",
        input: ({ context }) => ({ days: context.days }),
        onDone: { target: "ready", actions: { type: "keep", params: ({ event }) => event } },
        onError: [
          // Real numbers, even old ones, are never replaced by made up ones.
          { guard: "showsRealNumbers", target: "ready", actions: { type: "noteFailure", params: ({ event }) => event } },
          {
            guard: { type: "isMissing", params: ({ event }) => event },
            target: "sample",
            actions: ["showSample", { type: "noteFailure", params: ({ event }) => event }],
          },
          { target: "failed", actions: ["showNothing", { type: "noteFailure", params: ({ event }) => event }] },
        ],
      },
    },
    ready: { on: { "refresh.requested": "loading" } },
    sample: { on: { "refresh.requested": "loading" } },
    failed: { on: { "refresh.requested": "loading" } },
  },
});

type Snapshot = SnapshotFrom<typeof blogAnalyticsMachine>;

/** Of the trends, as they were asked for. */
export const selectDays = (snapshot: Snapshot): AnalyticsRange => snapshot.context.days;
/** null while there is nothing to be shown. */
export const selectAnalytics = (snapshot: Snapshot): BlogAnalytics | null => snapshot.context.analytics;
export const selectIsSample = (snapshot: Snapshot): boolean => snapshot.context.isSample;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** As in the locale files' `errors`: why there is sample data, old data or none. Null while it is asked for again. */
export const selectFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("loading") ? null : snapshot.context.failure;
