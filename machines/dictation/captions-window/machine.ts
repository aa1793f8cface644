import { type ActorRefFrom, assign, type EventObject, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

export type CaptionsWindowEvent =
  /** The person opens or closes the captions, or leaves the page that they belong to. */
  | { type: "open.requested" }
  | { type: "close.requested" }
  /** The person changes the letters, in steps, or the colours. */
  | { type: "size.stepped"; steps: number }
  | { type: "contrast.toggled" }
  /** Sent by the actor `window`: the person, or the browser, has closed it. */
  | { type: "window.closed" };

/** The appearance of the captions. */
export interface CaptionsLook {
  /** From 0 to `largest`. */
  size: number;
  isHighContrast: boolean;
}

export interface CaptionsWindowInput {
  look: CaptionsLook;
}

interface CaptionsWindowContext extends CaptionsWindowInput {
  /**
   * Why the captions cover the page: `unsupported` if the browser has no windows that stay on top, else the reason why
   * the window was refused.
   */
  failure: string | null;
}

/** The largest letters. */
export const largest = 6;

/**
 * Live captions that stay in sight: in a window on top of all others, or over the whole page if the browser has no such
 * window or opens none. Only one is open at a time.
 */
export const captionsWindowMachine = setup({
  types: {
    context: {} as CaptionsWindowContext,
    events: {} as CaptionsWindowEvent,
    input: {} as CaptionsWindowInput,
  },
  actors: {
    /**
     * Opens the window. If the person has closed the captions meanwhile, the window is closed at once. Rejects with
     * `unsupported` if the browser has no such window.
     */
    openWindow: fromPromise<void>(async () => notProvided("openWindow")),
    /**
     * Keeps the window's appearance in step with the page, and reports when the person closes it. Closes it when the
     * actor is stopped.
     */
    window: fromCallback<EventObject>(() => notProvided("window")),
  },
  actions: {
    storeLook: () => notProvided("storeLook"),
    stepSize: assign({
      look: ({ context: { look } }, { steps }: { steps: number }) => ({
        ...look,
        size: Math.min(largest, Math.max(0, look.size + steps)),
      }),
    }),
    toggleContrast: assign({ look: ({ context: { look } }) => ({ ...look, isHighContrast: !look.isHighContrast }) }),
    assignFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
  },
}).createMachine({
  id: "captionsWindow",
  context: ({ input }) => ({ ...input, failure: null }),
  initial: "closed",
  on: {
    "size.stepped": { actions: [withEvent("stepSize"), "storeLook"] },
    "contrast.toggled": { actions: ["toggleContrast", "storeLook"] },
  },
  states: {
    closed: { on: { "open.requested": "opening" } },
    opening: {
      invoke: { src: "openWindow", onDone: "floating", onError: { target: "overPage", actions: withEvent("assignFailure") } },
      on: { "close.requested": "closed" },
    },
    floating: { invoke: { src: "window" }, on: { "close.requested": "closed", "window.closed": "closed" } },
    overPage: { on: { "close.requested": "closed" } },
  },
});

export type CaptionsWindowActor = ActorRefFrom<typeof captionsWindowMachine>;
type Snapshot = SnapshotFrom<typeof captionsWindowMachine>;

/** They are in a window of their own. */
export const selectIsFloating = (snapshot: Snapshot): boolean => snapshot.matches("floating");
/** They cover the page. */
export const selectIsOverPage = (snapshot: Snapshot): boolean => snapshot.matches("overPage");
/** They are shown, or about to be. */
export const selectIsWanted = (snapshot: Snapshot): boolean => !snapshot.matches("closed");
export const selectLook = (snapshot: Snapshot): CaptionsLook => snapshot.context.look;
/** Why they cover the page; named as in the locale files (`dictation:captions.*`). */
export const selectReason = (snapshot: Snapshot): "lacking" | "refused" =>
  snapshot.context.failure === "unsupported" ? "lacking" : "refused";
