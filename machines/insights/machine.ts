import { assign, emit, fromCallback, fromPromise, raise, setup } from "xstate";
import type {
  Insight,
  InsightMaking,
  InsightModel,
  InsightProgress,
  InsightRequest,
  InsightsAnswer,
  Point,
} from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { InsightChange, InsightsEmitted, InsightsEvent } from "./events.ts";
import { withChange, withInsight } from "./rules.ts";

interface InsightsContext {
  /** The transcription's id. */
  id: string;
  /** null: no language model is set up. */
  model: InsightModel | null;
  /** The stored results, with changes that are not saved yet. */
  insights: readonly Insight[];
  /** Why loading failed. */
  loadError: string | null;
  /** The running request, or the last one. */
  request: InsightRequest | null;
  progress: InsightProgress | null;
  /** The points that have arrived, until the result is complete. */
  points: readonly Point[];
  /** Why the request failed. */
  failure: string | null;
  /** When the server allows the next request, if it said so: epoch ms. */
  until: number | null;
  /** Oldest first; the first is being saved. */
  changes: readonly InsightChange[];
  /** The result whose deletion was requested last. */
  asked: string;
}

/**
 * The results of a language model for a transcript: loads the stored ones, streams in new ones, stops them, and saves
 * changes of tasks.
 */
export const insightsMachine = setup({
  types: {
    context: {} as InsightsContext,
    events: {} as InsightsEvent,
    emitted: {} as InsightsEmitted,
    input: {} as { id: string },
    tags: {} as "loading" | "idle" | "making" | "stopped" | "failed" | "made",
  },
  actors: {
    load: fromPromise<InsightsAnswer, { id: string }>(async () => notProvided("load")),
    /** Stops the server's work when the actor is stopped. */
    make: fromCallback<InsightMaking, { id: string; request: InsightRequest }>(() => notProvided("make")),
    /** Resolves with the insight after the change; null if it was deleted. */
    save: fromPromise<Insight | null, { id: string } & InsightChange>(async () => notProvided("save")),
  },
  actions: {
    assignAnswer: assign(({ context }, { model, insights }: InsightsAnswer) => ({
      model,
      insights: context.changes.reduce(withChange, insights),
      loadError: null,
    })),
    noteLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    begin: assign((_, { request }: { request: InsightRequest }) => ({
      request,
      progress: null,
      points: [],
      failure: null,
      until: null,
    })),
    assignProgress: assign({ progress: (_, { progress }: { progress: InsightProgress }) => progress }),
    addPoint: assign({ points: ({ context }, { point }: { point: Point }) => [...context.points, point] }),
    assignInsight: assign(({ context }, { insight }: { insight: Insight }) => ({
      insights: withInsight(context.insights, insight),
      points: [],
      progress: null,
    })),
    fail: assign((_, { code, until = null }: { code: string; until?: number | null }) => ({ failure: code, until })),
    /** The change is shown at once. */
    applyChange: assign(({ context }, change: InsightChange) => ({
      insights: withChange(context.insights, change),
      changes: [...context.changes, change],
    })),
    assignAsked: assign({ asked: (_, { insight }: { insight: string }) => insight }),
    raiseRemoved: raise(({ context }) => ({ type: "insight.removed" as const, insight: context.asked })),
    dropSaved: assign({ changes: ({ context }) => context.changes.slice(1) }),
    dropChanges: assign({ changes: [] }),
    emitFailed: emit((_, { error }: Failed): InsightsEmitted => ({ type: "change.failed", code: codeOf(error) })),
  },
  guards: {
    canMake: ({ context }) => context.model !== null,
    hasChanges: ({ context }) => context.changes.length > 0,
    isGone: (_, { error }: Failed) => isGone(error),
  },
}).createMachine({
  id: "insights",
  context: ({ input }) => ({
    id: input.id,
    model: null,
    insights: [],
    loadError: null,
    request: null,
    progress: null,
    points: [],
    failure: null,
    until: null,
    changes: [],
    asked: "",
  }),
  initial: "loading",
  states: {
    loading: {
      tags: "loading",
      invoke: {
        src: "load",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "ready", actions: withOutput("assignAnswer") },
        onError: { target: "unloaded", actions: withEvent("noteLoadError") },
      },
    },
    unloaded: { on: { "reload.requested": "loading" } },
    ready: {
      type: "parallel",
      states: {
        making: {
          initial: "resting",
          states: {
            resting: {
              initial: "idle",
              on: {
                "insight.requested": { guard: "canMake", target: "making", actions: withEvent("begin") },
              },
              states: {
                idle: { tags: "idle" },
                /** What has arrived stays on the page; nothing of it is stored. */
                stopped: { tags: "stopped" },
                failed: { tags: "failed" },
                made: { tags: "made" },
              },
            },
            making: {
              tags: "making",
              invoke: {
                src: "make",
                input: ({ context: { id, request } }) => ({ id, request: present(request, "what is wanted") }),
              },
              on: {
                "progress.came": { actions: withEvent("assignProgress") },
                "point.came": { actions: withEvent("addPoint") },
                "insight.came": { target: "resting.made", actions: withEvent("assignInsight") },
                "making.failed": { target: "resting.failed", actions: withEvent("fail") },
                "stop.requested": "resting.stopped",
              },
            },
          },
        },
        deletion: {
          initial: "none",
          states: {
            none: {
              on: { "deletion.requested": { target: "asking", actions: withEvent("assignAsked") } },
            },
            asking: {
              on: { "deletion.confirmed": { target: "none", actions: "raiseRemoved" }, "deletion.cancelled": "none" },
            },
          },
        },
        changes: {
          initial: "saved",
          on: {
            "task.changed": {
              actions: { type: "applyChange", params: ({ event: { insight, change } }) => ({ insight, change }) },
            },
            "insight.removed": {
              actions: { type: "applyChange", params: ({ event: { insight } }) => ({ insight, change: null }) },
            },
          },
          states: {
            saved: { always: { guard: "hasChanges", target: "saving" } },
            saving: {
              invoke: {
                src: "save",
                input: ({ context: { id, changes } }) => ({ id, ...present(changes[0] ?? null, "what was changed") }),
                onDone: { target: "saved", actions: "dropSaved" },
                onError: [
                  // It was deleted or replaced elsewhere: there is nothing left to change.
                  { guard: withEvent("isGone"), target: "reloading", actions: "dropChanges" },
                  { target: "reloading", actions: ["dropChanges", withEvent("emitFailed")] },
                ],
              },
            },
            reloading: {
              // The answer may be older than the new insight.
              on: { "insight.came": { target: "reloading", reenter: true } },
              invoke: {
                src: "load",
                input: ({ context }) => ({ id: context.id }),
                onDone: { target: "saved", actions: withOutput("assignAnswer") },
                // Until the page is opened again, it may show more than the server has. The failure was shown.
                onError: "saved",
              },
            },
          },
        },
      },
    },
  },
});
