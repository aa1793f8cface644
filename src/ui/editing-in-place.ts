import { useCallback, useRef, useState } from "react";

export interface InPlace {
  editing: boolean;
  begin(): void;
  end(): void;
  /** The ref of the edit button. The button is unmounted while editing, and takes the focus when it returns. */
  opener(button: HTMLElement | null): void;
}

/**
 * The focus of a button that is unmounted while its field is open. It returns with the button, unless another field has
 * it.
 */
export function useReturningFocus() {
  const left = useRef(false);
  const opener = useCallback((button: HTMLElement | null) => {
    if (!button || !left.current) return;
    left.current = false;
    if (!document.activeElement?.matches("input, textarea")) button.focus({ preventScroll: true });
  }, []);
  const leave = () => {
    left.current = true;
  };
  return { opener, leave };
}

/** Editing in place: the field replaces the edit button. */
export function useEditingInPlace(): InPlace {
  const [editing, setEditing] = useState(false);
  const { opener, leave } = useReturningFocus();
  const begin = () => {
    leave();
    setEditing(true);
  };
  return { editing, begin, end: () => setEditing(false), opener };
}

/** The ref of a form that replaces a button, or of the form's container. The first field takes the focus. */
export function focusFirstField(place: HTMLElement | null): void {
  place?.querySelector<HTMLElement>("form input:not([hidden])")?.focus();
}
