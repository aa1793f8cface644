import type { ReactElement } from "react";
import { claimFocus } from "#src/ui/claim-focus.ts";
import type { RawAdminSearch } from "./search.ts";

/** A section of the admin panel, with the actors that live while it is shown. */
export interface AdminSection {
  /** Called when the section is opened, and whenever its search parameters change. @returns what renders it */
  enter(search: RawAdminSearch): ReactElement;
  /** Called when another section is opened, or the panel is left. */
  leave(): void;
}

let isFirst = true;

/** Opens a section. @param first whether the panel has just been entered */
export function noteEntry(first: boolean): void {
  isFirst = first;
}

/** The ref of a heading that takes the focus when a section replaces another; not when the panel is first entered. */
export function claimSectionFocus(heading: HTMLElement | null): void {
  if (!isFirst) claimFocus(heading);
}
