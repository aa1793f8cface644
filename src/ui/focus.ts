import { useCallback, useRef, useState } from "react";

/** A navigation has ended on a page that has no heading yet: what it shows is still loading. */
let isOwed = false;

/** Moves the focus to the page's heading, when what had it is about to go, or was on another page; to the next one if there is none yet. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("h1");
  isOwed = heading === null;
  heading?.focus({ preventScroll: true });
}

/** The ref of a page's heading: it takes the focus that it could not be given when the page was entered. */
export function claimOwedFocus(heading: HTMLElement | null): void {
  if (isOwed) claimFocus(heading);
  if (heading) isOwed = false;
}

/** A heading's ref: it takes the focus when it appears and nothing else has it (its page was still loading, or was another one). */
export function claimFocus(heading: HTMLElement | null): void {
  if (heading && (document.activeElement === null || document.activeElement === document.body)) {
    heading.focus({ preventScroll: true });
  }
}

interface InPlace {
  editing: boolean;
  begin(): void;
  end(): void;
  /** The ref of the button that begins: it is away meanwhile, and gets the focus back when it returns. */
  opener(button: HTMLElement | null): void;
}

/** Editing in place, where the button that begins gives way to the field. */
export function useEditingInPlace(): InPlace {
  const [editing, setEditing] = useState(false);
  const began = useRef(false);
  const begin = () => {
    began.current = true;
    setEditing(true);
  };
  const opener = useCallback((button: HTMLElement | null) => {
    if (!button || !began.current) return;
    began.current = false;
    button.focus({ preventScroll: true });
  }, []);
  return { editing, begin, end: () => setEditing(false), opener };
}
