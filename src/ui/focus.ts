import { claimFocus } from "./claim-focus.ts";

/** A navigation has ended on a page without a heading yet: its content is still loading. */
let isOwed = false;

/** Focuses the page's heading when the focused element is about to go, or was on another page; if there is none, the next one. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("h1");
  isOwed = heading === null;
  heading?.focus({ preventScroll: true });
}

/** The ref of a button that may go: the page's heading gets its focus then. */
export function leaveFocus(button: HTMLElement | null): () => void {
  return () => {
    if (document.activeElement === button) focusHeading();
  };
}

/**
 * The ref of a page's heading. It takes the focus if it was missing when the page was entered, or if a loading screen has
 * taken the place of a heading that had the focus.
 */
export function claimOwedFocus(heading: HTMLElement | null): (() => void) | undefined {
  if (heading === null) return undefined;
  if (isOwed) claimFocus(heading);
  isOwed = false;
  return () => {
    isOwed = document.activeElement === heading;
  };
}
