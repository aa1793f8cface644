import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "#src/features/admin/admin-page.tsx";
import { adminAddress } from "#src/features/admin/route.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/")({
  staticData: { titleKey: "titles.admin" },
  validateSearch: adminAddress,
  loaderDeps: ({ search }) => search,
  // Preloading must not change what is shown, and a section that was left must not be reused.
  preload: false,
  loader: {
    handler: ({ deps, abortController }) =>
      import("#src/features/admin/sections.ts").then((page) => page.enterSection(deps, abortController.signal)),
    staleReloadMode: "blocking",
  },
  onLeave: () => import("#src/features/admin/sections.ts").then((page) => page.leaveSection()),
  component: AdminPage,
});
