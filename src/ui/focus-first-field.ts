/** The ref of a form that has taken a button's place, or of what it stands in: its first field takes the focus. */
export function focusFirstField(place: HTMLElement | null): void {
  place?.querySelector<HTMLElement>("form input:not([hidden])")?.focus();
}
