import type { ReactElement } from "react";
import { claimFocus } from "#src/ui/focus.ts";
import type { RawAdminSearch } from "./search.ts";

/** A part of the admin panel, with what it keeps open while it is shown. */
export interface AdminSection {
  /** Called when the section is opened, and whenever the address asks something else of it. @returns what shows it */
  enter(search: RawAdminSearch): ReactElement;
  /** Another section is opened, or the panel is left. */
  leave(): void;
}

let isFirst = true;

/** A section is opened. @param first somebody has just come to the panel */
export function noteArrival(first: boolean): void {
  isFirst = first;
}

/** The ref of a heading that comes in the place of what had the focus. Whoever has just come to the panel is left where they are. */
export function claimSectionFocus(heading: HTMLElement | null): void {
  if (!isFirst) claimFocus(heading);
}
