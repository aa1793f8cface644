import { claimFocus } from "./claim-focus.ts";

/** Whether a navigation has ended on a page without a heading, because its content is still loading. */
let isOwed = false;

/**
 * Focuses the page's heading. Used when the focused element disappears, or was on another page. Without a heading, the
 * next heading that appears takes the focus.
 */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("h1");
  isOwed = heading === null;
  heading?.focus({ preventScroll: true });
}

/** The ref of a button that may disappear. The page's heading takes its focus then. */
export function leaveFocus(button: HTMLElement | null): () => void {
  return () => {
    if (document.activeElement === button) focusHeading();
  };
}

/**
 * The ref of a page's heading. It takes the focus if it was missing when the page opened, or if a loading screen has
 * replaced a focused heading.
 */
export function claimOwedFocus(heading: HTMLElement | null): (() => void) | undefined {
  if (heading === null) return undefined;
  if (isOwed) claimFocus(heading);
  isOwed = false;
  return () => {
    isOwed = document.activeElement === heading;
  };
}
