import type { ReactElement } from "react";
import { parse } from "valibot";
import { loadTexts } from "#src/i18n/index.ts";
import { type AdminSectionName, type RawAdminSearch, SectionName } from "./search.ts";
import { type AdminSection, noteEntry } from "./section.ts";

/** The loaders of the sections. Each section is loaded when it is first opened. */
const sections: Record<AdminSectionName, () => Promise<AdminSection>> = {
  overview: async () => (await import("./overview.tsx")).overview,
  users: async () => (await import("./users.tsx")).users,
  inbox: async () => (await import("./inboxes.tsx")).inboxes,
  jobs: async () => (await import("./jobs.tsx")).jobs,
  backups: async () => (await import("./backups.tsx")).backups,
  log: async () => (await import("./log.tsx")).log,
};

export interface EnteredSection {
  name: AdminSectionName;
  body: ReactElement;
}

let open: AdminSection | undefined;

/**
 * Opens the section of the address, loads the panel's texts, and leaves the previous section.
 * @throws the signal's reason when the navigation is aborted
 */
export async function enterSection(search: RawAdminSearch, signal: AbortSignal): Promise<EnteredSection> {
  const name = parse(SectionName, search.section);
  const [section] = await Promise.all([sections[name](), loadTexts("admin")]);
  signal.throwIfAborted();
  noteEntry(open === undefined);
  if (open !== section) open?.leave();
  open = section;
  return { name, body: section.enter(search) };
}

export function leaveSection(): void {
  open?.leave();
  open = undefined;
}
