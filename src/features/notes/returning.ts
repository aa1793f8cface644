import { type FocusEvent, useCallback, useRef } from "react";

const hasNoFocus = (): boolean => document.activeElement === null || document.activeElement === document.body;

/**
 * What had the focus before gets it back when something is closed with the focus in it, or else the passage it was
 * about.
 * @param onReturn the focus goes to the passage that begins there (`data-from`, seconds): what had it is gone
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
        // As soon as it is gone.
        queueMicrotask(() => {
          const element = before.current;
          if (!hasNoFocus()) return;
          // Where somebody has pressed the mouse in a text the page's main part had the focus.
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
