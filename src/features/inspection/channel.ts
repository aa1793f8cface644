import * as v from "valibot";

// How a page whose machines are watched and /debug/machines talk to each other: within this browser, this site and nobody else.

export const channelName = "parlance-machines";

/** What @statelyai/inspect sends, as far as it is shown. */
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
  v.object({ ...common, type: v.literal("@xstate.snapshot"), event: EventShown, snapshot: Snapshot }),
  v.object({ ...common, type: v.literal("@xstate.event"), event: EventShown }),
]);
export type WatchedEvent = v.InferOutput<typeof WatchedEvent>;

/** From a watched page. `page` names it: two may be watched at once. */
const FromPage = v.variant("kind", [
  v.object({ kind: v.literal("event"), page: v.string(), event: v.unknown() }),
  v.object({ kind: v.literal("gone"), page: v.string() }),
]);
/** To the watched pages. */
const ToPage = v.variant("kind", [
  /** Somebody watches now, and wants to know all that has been. */
  v.object({ kind: v.literal("watching") }),
  /** The event with this number is to happen once more. */
  v.object({ kind: v.literal("replay"), sessionId: v.string(), number: v.number() }),
]);
export const ChannelMessage = v.union([FromPage, ToPage]);
export type ChannelMessage = v.InferOutput<typeof ChannelMessage>;
