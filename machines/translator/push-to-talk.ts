import { assign, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";
import type { Side } from "./events.ts";

/** The keys of the translator's page that the focused element does not need itself. `at` in ms, on any clock. */
export type PushToTalkEvent =
  /** The space bar. `side`: the one with the focus. */
  | { type: "space.pressed"; side: Side; at: number }
  | { type: "space.released"; at: number }
  | { type: "escape.pressed" }
  /** The window has lost focus, or the page is left: no key release will follow. */
  | { type: "focus.lost" };

/** Below this duration (ms) a key press toggles: the first starts, the second stops. */
const pressMs = 400;

/**
 * Holding the space bar records, and a short press starts or stops a recording. Escape stops recording or playback, or
 * else closes the face-to-face view.
 */
export const pushToTalkMachine = setup({
  types: { context: {} as { since: number }, events: {} as PushToTalkEvent },
  actions: {
    begin: (_, _params: { side: Side }) => notProvided("begin"),
    stop: () => notProvided("stop"),
    closeFaceToFace: () => notProvided("closeFaceToFace"),
    notePress: assign({ since: (_, { at }: { at: number }) => at }),
  },
  guards: {
    /** A turn is recorded or translated. */
    isUnderWay: () => notProvided("isUnderWay"),
    /** Something is recorded or played. */
    isBusy: () => notProvided("isBusy"),
    wasHeld: ({ context }, { at }: { at: number }) => at - context.since >= pressMs,
  },
}).createMachine({
  id: "pushToTalk",
  context: { since: 0 },
  initial: "released",
  on: {
    "space.pressed": [
      { guard: "isUnderWay", target: ".released", actions: "stop" },
      { target: ".pressed", actions: [withEvent("notePress"), withEvent("begin")] },
    ],
    "escape.pressed": [{ guard: "isBusy", target: ".released", actions: "stop" }, { actions: "closeFaceToFace" }],
  },
  states: {
    released: {},
    pressed: {
      on: {
        "space.released": [{ guard: withEvent("wasHeld"), target: "released", actions: "stop" }, { target: "released" }],
        "focus.lost": { target: "released", actions: "stop" },
      },
    },
  },
});
