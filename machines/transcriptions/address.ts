import { assign, emit, setup } from "xstate";
import { withEvent } from "#machines/with-event.ts";
import { isSameView, type LibraryView, noView } from "./view.ts";

export type LibraryAddressEvent =
  /** The dashboard was opened at this address, or Back, Forward or a link led to another of its addresses. */
  | { type: "address.entered"; view: LibraryView }
  /** The list shows the address's view. */
  | { type: "address.followed" }
  /** The person searches, filters or sorts differently, or the chosen folder was deleted. */
  | { type: "view.changed"; view: LibraryView }
  /** The search field was left. */
  | { type: "search.left" }
  /** Another page was opened. */
  | { type: "page.left" };

/** Emitted to the rest of the page. */
export type LibraryAddressEmitted =
  /** The list should show this view, and answer with `address.followed`. */
  | { type: "address.shown"; view: LibraryView }
  /** The address should be changed to this view. */
  | { type: "address.outdated"; view: LibraryView };

interface LibraryAddressContext {
  /** The view in the address. */
  view: LibraryView;
  /** The view that the address will have as soon as the person stops typing. */
  typed: LibraryView;
}

interface Shown {
  view: LibraryView;
}

/** Pause before typed text is put into the address (ms): browsers limit how often an address may change. */
const typingPauseMs = 300;

/** Keeps the dashboard's address and its list in step: each follows the other. */
export const libraryAddressMachine = setup({
  types: {
    context: {} as LibraryAddressContext,
    events: {} as LibraryAddressEvent,
    emitted: {} as LibraryAddressEmitted,
  },
  actions: {
    assignView: assign({ view: (_, { view }: Shown) => view }),
    assignTyped: assign({ typed: (_, { view }: Shown) => view }),
    emitShown: emit((_, { view }: Shown): LibraryAddressEmitted => ({ type: "address.shown", view })),
    emitOutdated: emit((_, { view }: Shown): LibraryAddressEmitted => ({ type: "address.outdated", view })),
    assignTypedAsView: assign({ view: ({ context }) => context.typed }),
    emitTyped: emit(({ context }): LibraryAddressEmitted => ({ type: "address.outdated", view: context.typed })),
  },
  guards: {
    isInAddress: ({ context }, { view }: Shown) => isSameView(view, context.view),
    isOnlyTyped: ({ context }, { view }: Shown) => isSameView({ ...view, q: "" }, { ...context.view, q: "" }),
  },
  delays: { typingPause: typingPauseMs },
}).createMachine({
  id: "libraryAddress",
  context: { view: noView, typed: noView },
  initial: "away",
  states: {
    /** Another page is shown: its address is not the dashboard's. */
    away: {
      on: {
        "address.entered": { target: "shown.following", actions: [withEvent("assignView"), withEvent("emitShown")] },
      },
    },
    shown: {
      initial: "following",
      on: {
        "page.left": "away",
        "address.entered": [
          // The change that this machine has just made.
          { guard: withEvent("isInAddress") },
          { target: ".following", actions: [withEvent("assignView"), withEvent("emitShown")] },
        ],
      },
      states: {
        /** The list applies the address, one filter after another. */
        following: { on: { "address.followed": "together" } },
        together: {
          on: {
            "view.changed": [
              { guard: withEvent("isInAddress") },
              { guard: withEvent("isOnlyTyped"), target: "typing", actions: withEvent("assignTyped") },
              { actions: [withEvent("assignView"), withEvent("emitOutdated")] },
            ],
          },
        },
        typing: {
          on: {
            "view.changed": [
              { guard: withEvent("isInAddress"), target: "together" },
              { guard: withEvent("isOnlyTyped"), target: "typing", reenter: true, actions: withEvent("assignTyped") },
              { target: "together", actions: [withEvent("assignView"), withEvent("emitOutdated")] },
            ],
            // The person may open a row next: Back then leads to the typed search.
            "search.left": { target: "together", actions: ["assignTypedAsView", "emitTyped"] },
          },
          after: { typingPause: { target: "together", actions: ["assignTypedAsView", "emitTyped"] } },
        },
      },
    },
  },
});
