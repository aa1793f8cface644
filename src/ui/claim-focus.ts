/** A heading's ref: it takes the focus when it appears and nothing else has it (its page was still loading, or was another one). */
export function claimFocus(heading: HTMLElement | null): void {
  if (heading && (document.activeElement === null || document.activeElement === document.body)) {
    heading.focus({ preventScroll: true });
  }
}
