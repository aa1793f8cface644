import { useState, useSyncExternalStore } from "react";

/** Scroll positions are fractions of pixels: those that differ by less (px) are one. */
const samePx = 2;

/** Where a box is scrolled to. */
type Scrolled = Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">;

/** Whether a reader has scrolled up in a box that follows its newest content, from the moment of the scrolling on. */
export interface Follower {
  subscribe(listener: () => void): () => void;
  isBehind(): boolean;
  /** There may be new content: goes to the end, unless the reader has scrolled up. */
  follow(box: Scrolled): void;
  /** The box was scrolled, by the reader or by `follow`. */
  scrolled(box: Scrolled): void;
  /** Follows again. */
  catchUp(): void;
}

export function createFollower(): Follower {
  const listeners = new Set<() => void>();
  let isBehind = false;
  /** Where the view stood last (px). */
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
      // Or the event is still to come. (What was shortened has put the view at its new end.)
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

/** A scrolled box that follows its newest content. */
interface Follow {
  /** The reader has scrolled up: the box stays where it is. */
  isBehind: boolean;
  /** For the box. A new ref function with every render, so that React calls it after each. */
  box: { ref(box: HTMLElement | null): void; onScroll(event: { currentTarget: HTMLElement }): void };
  /** Goes to the end again, with the focus: the button that led there disappears with its purpose. */
  catchUp(): void;
}

/**
 * Scrolls a box with new content while the reader is at its end; else it stays. Not a state of React's: new words are rendered before
 * what a scroll event has set, and would take the reader back to the end.
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
