import { createFileRoute, redirect } from "@tanstack/react-router";
import { hasColumn, sectionWith } from "#src/features/settings/sections.ts";
import { NoSection } from "#src/features/settings/settings-page.tsx";

export const Route = createFileRoute("/_signedIn/settings/")({
  beforeLoad: ({ location: { hash } }) => {
    // Emails and bookmarks of earlier releases use the fragment: /settings#password.
    const section = sectionWith(hash) ?? (matchMedia(hasColumn).matches ? "account" : undefined);
    if (section !== undefined) throw redirect({ to: `/settings/${section}`, hash, replace: true });
  },
  component: NoSection,
});
