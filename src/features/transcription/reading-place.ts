import { createStore, type ReadableStore } from "#src/browser/store.ts";

/** What of a transcript is to be seen. */
export interface Place {
  /** Of the segment. */
  index: number;
  /** Of a word in it: where it begins, in seconds. */
  word?: number;
  /** What of the segment is to have the focus. */
  focus?: "edit" | "time";
}

export interface PlaceStore extends ReadableStore<(Place & { turn: number }) | null> {
  show(place: Place): void;
  /** The index of the segment at the upper edge of what is seen; told by the list. */
  top: number;
}

/** Where a transcript is looked at, on request: the find bar, an undone step and the next unsure word ask, the list obeys. */
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
    top: 0,
  };
}
