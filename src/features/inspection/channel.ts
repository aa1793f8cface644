import * as v from "valibot";

// Messages between inspected pages and /debug/machines. They stay within this browser and this origin.

export const channelName = "parlance-machines";

const common = {
  /** XState's session id of the actor, unique together with the page's id. */
  sessionId: v.string(),
  /** Epoch ms. */
  at: v.number(),
  snapshot: v.object({ status: v.string(), value: v.optional(v.unknown()), context: v.optional(v.unknown()) }),
};
export const WatchedEvent = v.variant("type", [
  /** `definition`: the machine's configuration as JSON. */
  v.object({ ...common, type: v.literal("created"), definition: v.string() }),
  v.object({
    ...common,
    type: v.literal("happened"),
    /** `replay`: the event's number, if it can be replayed. */
    event: v.looseObject({ type: v.string(), replay: v.optional(v.number()) }),
    /** The transitions that led to the snapshot (`transitionKey`). */
    taken: v.array(v.string()),
  }),
]);
export type WatchedEvent = v.InferOutput<typeof WatchedEvent>;

export const ChannelMessage = v.variant("kind", [
  /** From an inspected page. `page` identifies the page, because several may be inspected at once. */
  v.object({ kind: v.literal("event"), page: v.string(), event: WatchedEvent }),
  v.object({ kind: v.literal("gone"), page: v.string() }),
  /** To the inspected pages: an inspector page has opened, and requests the history. */
  v.object({ kind: v.literal("watching") }),
  /** Requests a replay of the event with this number. */
  v.object({ kind: v.literal("replay"), sessionId: v.string(), number: v.number() }),
]);
export type ChannelMessage = v.InferOutput<typeof ChannelMessage>;
