import { createStore, type ReadableStore } from "#src/browser/store.ts";

/**
 * The position of an audio element in seconds. Kept out of the machine, because it changes with every animation frame.
 */
export interface PositionStore extends ReadableStore<number> {
  /** Follows an element until the caller calls the returned function. */
  follow(element: EventTarget & Readonly<Pick<HTMLMediaElement, "currentTime" | "paused">>): () => void;
}

export function createPositionStore(): PositionStore {
  const seconds = createStore(0);
  return {
    subscribe: seconds.subscribe,
    get: seconds.get,
    follow(element) {
      const stop = new AbortController();
      let frame = 0;
      const read = () => seconds.set(element.currentTime);
      const draw = () => {
        read();
        frame = element.paused ? 0 : requestAnimationFrame(draw);
      };
      // Playback may restart before the animation frame that follows a pause, so that one is cancelled.
      const begin = () => {
        cancelAnimationFrame(frame);
        draw();
      };
      element.addEventListener("play", begin, { signal: stop.signal });
      for (const name of ["seeked", "seeking", "timeupdate", "pause", "ended"])
        element.addEventListener(name, read, { signal: stop.signal });
      return () => {
        stop.abort();
        cancelAnimationFrame(frame);
      };
    },
  };
}

/**
 * The index of the last item that has begun at `seconds`, or -1 before the first. A binary search; `items` are sorted
 * by `start`.
 */
export function indexAt(items: readonly { start: number }[], seconds: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? Number.POSITIVE_INFINITY) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
