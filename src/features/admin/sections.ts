import type { ReactElement } from "react";
import { parse } from "valibot";
import { claimFocus } from "#src/ui/focus.ts";
import { type AdminSectionName, type RawAdminSearch, SectionName } from "./search.ts";

/** A part of the admin panel, with what it keeps open while it is shown. */
export interface AdminSection {
  /** Called when the section is opened, and whenever the address asks something else of it. @returns what shows it */
  enter(search: RawAdminSearch): ReactElement;
  /** Another section is opened, or the panel is left. */
  leave(): void;
}

/** Each is loaded when it is opened for the first time. */
const sections: Record<AdminSectionName, () => Promise<AdminSection>> = {
  overview: async () => (await import("./overview.tsx")).overview,
  users: async () => (await import("./users.tsx")).users,
  inbox: async () => (await import("./inboxes.tsx")).inboxes,
  jobs: async () => (await import("./jobs.tsx")).jobs,
  log: async () => (await import("./log.tsx")).log,
};

export interface EnteredSection {
  name: AdminSectionName;
  body: ReactElement;
}

let open: AdminSection | undefined;
let isFirst = true;

/** The ref of a heading that comes in the place of what had the focus. Whoever has just come to the panel is left where they are. */
export function claimSectionFocus(heading: HTMLElement | null): void {
  if (!isFirst) claimFocus(heading);
}

/** Opens what the address asks for; the section before it is left. @throws what `signal` says when the navigation is called off */
export async function enterSection(search: RawAdminSearch, signal: AbortSignal): Promise<EnteredSection> {
  const name = parse(SectionName, search.section);
  const section = await sections[name]();
  signal.throwIfAborted();
  isFirst = open === undefined;
  if (open !== section) open?.leave();
  open = section;
  return { name, body: section.enter(search) };
}

export function leaveSection(): void {
  open?.leave();
  open = undefined;
}
