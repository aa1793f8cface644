import { createFileRoute } from "@tanstack/react-router";
import { ModelsPage } from "#src/features/models/page.tsx";

export const Route = createFileRoute("/_signedIn/_admin/admin/models")({
  staticData: { titleKey: "titles.models" },
  // Preloading must not start polling the server every second.
  preload: false,
  loader: () => import("#src/features/models/actor.ts").then((page) => page.enterModels()),
  onLeave: () => import("#src/features/models/actor.ts").then((page) => page.closeModels()),
  component: Models,
});

function Models() {
  return <ModelsPage manager={Route.useLoaderData()} />;
}
