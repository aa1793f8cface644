import { useCallback, useRef, useState } from "react";

export interface InPlace {
  editing: boolean;
  begin(): void;
  end(): void;
  /** The ref of the edit button: it is unmounted while editing, and gets the focus when it returns. */
  opener(button: HTMLElement | null): void;
}

/** Editing in place: the field replaces the edit button. */
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

/** The ref of a form that has taken a button's place, or of what it stands in: its first field takes the focus. */
export function focusFirstField(place: HTMLElement | null): void {
  place?.querySelector<HTMLElement>("form input:not([hidden])")?.focus();
}
