import { assign, fromCallback, fromPromise, setup } from "xstate";
import type { AdminMetrics } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type AdminMetricsEvent =
  /** The address changed: show another time span. */
  | { type: "days.changed"; days: number }
  /** The person retries. */
  | { type: "refresh.requested" }
  /** The actor `visibility`: the tab became visible, or hidden. */
  | { type: "page.shown" }
  | { type: "page.hidden" };

interface AdminMetricsContext {
  days: number;
  /** The latest answer; it stays while it is refreshed. Null before the first answer. */
  metrics: AdminMetrics | null;
  /** Why the last fetch failed: an error code of the contract. */
  error: string | null;
  isVisible: boolean;
}

/** The numbers of the admin panel: polled every minute while the tab is visible. */
export const adminMetricsMachine = setup({
  types: {
    context: {} as AdminMetricsContext,
    events: {} as AdminMetricsEvent,
    input: {} as { days: number },
  },
  actors: {
    fetchMetrics: fromPromise<AdminMetrics, { days: number }>(async () => notProvided("fetchMetrics")),
    /** Sends `page.shown` and `page.hidden`. */
    visibility: fromCallback<AdminMetricsEvent>(() => notProvided("visibility")),
  },
  actions: {
    assignDays: assign({ days: (_, { days }: { days: number }) => days }),
    assignMetrics: assign((_, metrics: AdminMetrics) => ({ metrics, error: null })),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
    show: assign({ isVisible: true }),
    hide: assign({ isVisible: false }),
  },
  guards: { isVisible: ({ context }) => context.isVisible },
  delays: { refreshInterval: 60_000 },
}).createMachine({
  id: "adminMetrics",
  context: ({ input }) => ({ days: input.days, metrics: null, error: null, isVisible: true }),
  invoke: { src: "visibility" },
  initial: "loading",
  on: {
    "days.changed": { target: ".loading", actions: withEvent("assignDays") },
    // An answer in flight may already be stale.
    "refresh.requested": ".loading",
    "page.shown": { actions: "show" },
    "page.hidden": { actions: "hide" },
  },
  states: {
    loading: {
      invoke: {
        src: "fetchMetrics",
        input: ({ context }) => ({ days: context.days }),
        onDone: { target: "resting", actions: withOutput("assignMetrics") },
        onError: { target: "resting", actions: withEvent("assignError") },
      },
    },
    resting: { after: { refreshInterval: [{ guard: "isVisible", target: "loading" }, { target: "due" }] } },
    /** The poll interval is over, but the tab is hidden. */
    due: { on: { "page.shown": { target: "loading", actions: "show" } } },
  },
});

type Snapshot = ReturnType<typeof adminMetricsMachine.getInitialSnapshot>;

/** Null before the first answer. */
export const selectMetrics = (snapshot: Snapshot): AdminMetrics | null => snapshot.context.metrics;
export const selectMetricsDays = (snapshot: Snapshot): number => snapshot.context.days;
export const selectMetricsAreLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless the last fetch failed. */
export const selectMetricsError = (snapshot: Snapshot): string | null => snapshot.context.error;
