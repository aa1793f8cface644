import type { ReactElement } from "react";
import { claimFocus } from "#src/ui/claim-focus.ts";
import type { RawAdminSearch } from "./search.ts";

/** A section of the admin panel, with the actors that live while it is shown. */
export interface AdminSection {
  /**
   * Called when the user opens the section, and whenever its search parameters change. @returns the element to render
   */
  enter(search: RawAdminSearch): ReactElement;
  /** Called when the user opens another section or leaves the panel. */
  leave(): void;
}

let isFirst = true;

/**
 * Notes that a section is opened.
 * @param first whether the user has just entered the panel
 */
export function noteEntry(first: boolean): void {
  isFirst = first;
}

/**
 * The ref of a section's heading. The heading takes the focus when its section replaces another one, but not when the
 * user first enters the panel.
 */
export function claimSectionFocus(heading: HTMLElement | null): void {
  if (!isFirst) claimFocus(heading);
}
