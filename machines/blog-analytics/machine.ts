import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { AnalyticsRange, BlogAnalytics } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type BlogAnalyticsEvent =
  /** The page's address: the number of days that the trends span. */
  | { type: "range.chosen"; days: AnalyticsRange }
  /** The person refreshes the numbers, or retries after a failure. */
  | { type: "refresh.requested" };

interface BlogAnalyticsContext {
  days: AnalyticsRange;
  /** The numbers shown; null before there are any. */
  analytics: BlogAnalytics | null;
  /** Whether they are sample data. */
  isSample: boolean;
  /** Why the last call failed, a key of the locale files' `errors`; null when it succeeded. */
  failure: string | null;
  /** SPEC.md section 8: shown where the server has no analytics, or can't be reached. */
  sample: BlogAnalytics;
}

/** Whether the server has no such call, or can't be reached. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "status" in error && (error.status === 404 || error.status === 0);
}

/** Blog statistics: the server's; sample data where it has none; the previous ones when they can't be refreshed. */
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
    assignAnalytics: assign((_, output: BlogAnalytics) => ({
      analytics: output,
      isSample: false,
      failure: null,
    })),
    showSample: assign(({ context }) => ({ analytics: context.sample, isSample: true })),
    showNothing: assign({ analytics: null, isSample: false }),
    noteFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
  },
  guards: {
    isAnotherRange: ({ context }, { days }: { days: AnalyticsRange }) => days !== context.days,
    showsRealNumbers: ({ context }) => context.analytics !== null && !context.isSample,
    isMissing: (_, { error }: Failed) => isMissing(error),
  },
}).createMachine({
  id: "blogAnalytics",
  context: ({ input }) => ({ ...input, analytics: null, isSample: false, failure: null }),
  initial: "loading",
  on: {
    "range.chosen": { guard: withEvent("isAnotherRange"), target: ".loading", reenter: true, actions: withEvent("chooseRange") },
  },
  states: {
    /** The previous numbers stay visible. */
    loading: {
      invoke: {
        src: "fetchAnalytics",
        input: ({ context }) => ({ days: context.days }),
        onDone: { target: "ready", actions: withOutput("assignAnalytics") },
        onError: [
          // Real numbers, even old ones, are never replaced by sample data.
          { guard: "showsRealNumbers", target: "ready", actions: withEvent("noteFailure") },
          { guard: withEvent("isMissing"), target: "sample", actions: ["showSample", withEvent("noteFailure")] },
          { target: "failed", actions: ["showNothing", withEvent("noteFailure")] },
        ],
      },
    },
    ready: { on: { "refresh.requested": "loading" } },
    sample: { on: { "refresh.requested": "loading" } },
    failed: { on: { "refresh.requested": "loading" } },
  },
});

type Snapshot = SnapshotFrom<typeof blogAnalyticsMachine>;

/** The range of the trends, in days. */
export const selectDays = (snapshot: Snapshot): AnalyticsRange => snapshot.context.days;
/** null: nothing to show yet. */
export const selectAnalytics = (snapshot: Snapshot): BlogAnalytics | null => snapshot.context.analytics;
export const selectIsSample = (snapshot: Snapshot): boolean => snapshot.context.isSample;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/**
 * Why sample data, old data or no data is shown: a key of the locale files' `errors`. Null while it is fetched again.
 */
export const selectFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("loading") ? null : snapshot.context.failure;
