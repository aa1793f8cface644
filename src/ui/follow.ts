import { type RefObject, type UIEvent, useRef, useState } from "react";

/** Scroll positions are fractions of pixels: those that differ by less (px) are one. */
const samePx = 2;

/** A scrolled box that follows its newest content. */
interface Follow {
  /** The reader has scrolled up: the box stays where it is. */
  isBehind: boolean;
  /** For the box. A new ref function with every render, so that React calls it after each. */
  box: { ref(box: HTMLElement | null): void; onScroll(event: UIEvent<HTMLElement>): void };
  /** Goes to the end again, with the focus: the button that led there disappears with its purpose. */
  catchUp(): void;
}

/** Scrolls a box with new content while the reader is at its end; else it stays. */
export function useFollow(): Follow {
  const [isBehind, setIsBehind] = useState(false);
  const shown = useRef<HTMLElement>(null);
  /** Where the view stood last (px). */
  const at = useRef(0);
  return {
    isBehind,
    box: {
      ref: (box) => {
        shown.current = box;
        if (box !== null && !isBehind) goToEnd(box, at);
      },
      onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (scrollHeight - clientHeight - scrollTop < samePx) setIsBehind(false);
        else if (scrollTop < at.current - samePx) setIsBehind(true);
        at.current = scrollTop;
      },
    },
    catchUp: () => {
      shown.current?.focus({ preventScroll: true });
      setIsBehind(false);
    },
  };
}

function goToEnd(box: HTMLElement, at: RefObject<number>): void {
  const end = box.scrollHeight - box.clientHeight;
  // Somebody has scrolled up, and the event is still to come. (What was shortened has put the view at its new end.)
  if (box.scrollTop < at.current - samePx && box.scrollTop < end - samePx) return;
  box.scrollTop = end;
  at.current = box.scrollTop;
}
