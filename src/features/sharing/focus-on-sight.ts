/** The ref of what replaces the element that had the focus: it takes it. */
export function focusOnSight(element: HTMLElement | null): void {
  element?.focus();
}
