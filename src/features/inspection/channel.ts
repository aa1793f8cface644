import * as v from "valibot";

// Messages between inspected pages and /debug/machines: within this browser and this origin only.

export const channelName = "parlance-machines";

/** The part of @statelyai/inspect's events that is shown. */
const Snapshot = v.object({ status: v.optional(v.string()), value: v.optional(v.unknown()), context: v.optional(v.unknown()) });
const EventShown = v.looseObject({ type: v.string(), replay: v.optional(v.number()) });
const common = { sessionId: v.string(), createdAt: v.string() };
export const WatchedEvent = v.variant("type", [
  v.object({
    ...common,
    type: v.literal("@xstate.actor"),
    name: v.string(),
    parentId: v.optional(v.nullable(v.string())),
    definition: v.optional(v.string()),
    snapshot: Snapshot,
  }),
  v.object({
    ...common,
    type: v.literal("@xstate.snapshot"),
    event: EventShown,
    snapshot: Snapshot,
    /** The transitions that led to it (`transitionKey`). */
    taken: v.optional(v.array(v.string())),
  }),
]);
export type WatchedEvent = v.InferOutput<typeof WatchedEvent>;

/** From an inspected page. `page` identifies it: several may be inspected at once. */
const FromPage = v.variant("kind", [
  v.object({ kind: v.literal("event"), page: v.string(), event: v.unknown() }),
  v.object({ kind: v.literal("gone"), page: v.string() }),
]);
/** To the inspected pages. */
const ToPage = v.variant("kind", [
  /** An inspector has been opened, and requests the history. */
  v.object({ kind: v.literal("watching") }),
  /** Requests that the event with this number is sent again. */
  v.object({ kind: v.literal("replay"), sessionId: v.string(), number: v.number() }),
]);
export const ChannelMessage = v.union([FromPage, ToPage]);
export type ChannelMessage = v.InferOutput<typeof ChannelMessage>;
