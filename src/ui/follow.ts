import { useState, useSyncExternalStore } from "react";

/** Scroll positions that differ by less than this count as equal (px), because browsers report fractions. */
const samePx = 2;

/** The scroll position of a box. */
type Scrolled = Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">;

/**
 * Whether a reader has scrolled up in a box that follows its newest content. Known from the moment of the scrolling.
 */
export interface Follower {
  subscribe(listener: () => void): () => void;
  isBehind(): boolean;
  /** Scrolls to the end after a content change, unless the reader has scrolled up. */
  follow(box: Scrolled): void;
  /** Called when the box was scrolled, by the reader or by `follow`. */
  scrolled(box: Scrolled): void;
  /** Follows the newest content again. */
  catchUp(): void;
}

export function createFollower(): Follower {
  const listeners = new Set<() => void>();
  let isBehind = false;
  /** The last scroll position (px). */
  let at = 0;
  const set = (value: boolean) => {
    if (isBehind === value) return;
    isBehind = value;
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isBehind: () => isBehind,
    follow: (box) => {
      const end = box.scrollHeight - box.clientHeight;
      // In the second case the reader has scrolled up, but the event is still pending. (Shortened content moves the
      // position to its new end.)
      if (isBehind || (box.scrollTop < at - samePx && box.scrollTop < end - samePx)) return;
      box.scrollTop = end;
      at = box.scrollTop;
    },
    scrolled: ({ scrollTop, scrollHeight, clientHeight }) => {
      if (scrollHeight - clientHeight - scrollTop < samePx) set(false);
      else if (scrollTop < at - samePx) set(true);
      at = scrollTop;
    },
    catchUp: () => set(false),
  };
}

/** A scrolling box that follows its newest content. */
interface Follow {
  /** Whether the reader has scrolled up. Then the box stays where it is. */
  isBehind: boolean;
  /** Props of the box. `ref` is a new function with every render, so that React calls it each time. */
  box: { ref(box: HTMLElement | null): void; onScroll(event: { currentTarget: HTMLElement }): void };
  /** Scrolls to the end and focuses the box, because the button that called this disappears. */
  catchUp(): void;
}

/**
 * Scrolls a box to new content while the reader is at its end. Otherwise the box stays. This is not React state: new
 * words render before React applies a scroll event's state, and would take the reader back to the end.
 */
export function useFollow(): Follow {
  const [{ follower, shown }] = useState(() => ({ follower: createFollower(), shown: new Set<HTMLElement>() }));
  const isBehind = useSyncExternalStore(follower.subscribe, follower.isBehind);
  return {
    isBehind,
    box: {
      ref: (box) => {
        shown.clear();
        if (box === null) return;
        shown.add(box);
        follower.follow(box);
      },
      onScroll: ({ currentTarget }) => follower.scrolled(currentTarget),
    },
    catchUp: () => {
      for (const box of shown) box.focus({ preventScroll: true });
      follower.catchUp();
    },
  };
}
