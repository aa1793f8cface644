import { createStore, type ReadableStore } from "#src/browser/store.ts";

/** A place in a transcript to scroll to. */
export interface Place {
  /** Of the segment. */
  index: number;
  /** The start of a word in it, in seconds. */
  word?: number;
  /** The segment's element to focus. */
  focus?: "edit" | "time";
  /** Where the caret is to be in its open field. */
  caret?: number;
}

export interface PlaceStore extends ReadableStore<(Place & { turn: number }) | null> {
  show(place: Place): void;
  /** The index of the segment that the list begins with when it is shown; null: with the first. It takes it once. */
  arrival: number | null;
  /** The index of the topmost visible segment, set by the list. */
  top: number;
}

/** Requests to scroll a transcript: made by the find bar, undo, and the next word of low confidence; executed by the list. */
export function createPlaceStore(): PlaceStore {
  const store = createStore<(Place & { turn: number }) | null>(null);
  let turn = 0;
  return {
    get: store.get,
    subscribe: store.subscribe,
    show: (place) => {
      turn += 1;
      store.set({ ...place, turn });
    },
    arrival: null,
    top: 0,
  };
}
