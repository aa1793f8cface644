/**
 * A heading's ref. The heading takes the focus when it appears, unless another element has it. That happens if its page
 * was still loading, or replaced another one.
 */
export function claimFocus(heading: HTMLElement | null): void {
  if (heading && (document.activeElement === null || document.activeElement === document.body)) {
    heading.focus({ preventScroll: true });
  }
}
