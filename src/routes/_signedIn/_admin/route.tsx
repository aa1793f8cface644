import { createFileRoute } from "@tanstack/react-router";
import { AdminLayout } from "#src/features/admin/admin-layout.tsx";
import { loadTexts } from "#src/i18n/index.ts";

/** The pages of superusers (SPEC.md section 5, "Admin pages"). */
export const Route = createFileRoute("/_signedIn/_admin")({
  staticData: { need: "superuser" },
  // Loads the texts of the tabs.
  loader: () => loadTexts("admin"),
  component: AdminLayout,
});
