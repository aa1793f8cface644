import { type FocusEvent, useCallback, useRef } from "react";

const hasNoFocus = (): boolean => document.activeElement === null || document.activeElement === document.body;

/**
 * Restores the focus when an element that contains it is closed. If the previously focused element is gone, focuses the
 * passage instead.
 * @param onReturn focuses the passage that begins at this second (`data-from`)
 */
export function useReturn(onReturn: (seconds: number) => void) {
  const before = useRef<EventTarget>(null);
  const onFocus = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
  const ref = useCallback(
    (closing: HTMLElement | null) => {
      if (closing === null) return undefined;
      return () => {
        if (!closing.contains(document.activeElement)) return;
        const start = Number(closing.dataset.from);
        // Runs as soon as the element is removed.
        queueMicrotask(() => {
          const element = before.current;
          if (!hasNoFocus()) return;
          // After a press of the mouse in a text, the previous focus is the page's main part, which is no control.
          const isControl = element instanceof HTMLElement && element.tabIndex >= 0 && element.isConnected;
          if (isControl) element.focus({ preventScroll: true });
          else onReturn(start);
        });
      };
    },
    [onReturn],
  );
  return { ref, onFocus };
}
