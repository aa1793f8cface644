import { createFileRoute } from "@tanstack/react-router";

const isPlain = (entry: [string, unknown]): entry is [string, string | number] => ["string", "number"].includes(typeof entry[1]);

export const Route = createFileRoute("/_signedIn/_admin/admin/")({
  staticData: { titleKey: "titles.admin" },
  // Raw search parameters. The sections' schemas validate them, and are loaded with the sections.
  validateSearch: (search: Record<string, unknown>) => Object.fromEntries(Object.entries(search).filter(isPlain)),
  loaderDeps: ({ search }) => search,
  // Preloading must not change the visible section, and a left section must not be reused.
  preload: false,
  loader: {
    handler: ({ deps, abortController }) =>
      import("#src/features/admin/sections.ts").then((page) => page.enterSection(deps, abortController.signal)),
    staleReloadMode: "blocking",
  },
  onLeave: () => import("#src/features/admin/sections.ts").then((page) => page.leaveSection()),
  component: AdminPage,
});

/** The open section. */
function AdminPage() {
  return Route.useLoaderData().body;
}
