import { useCallback, useRef, useState } from "react";

/** Moves the focus to the page's heading, when what had it is about to go. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
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
