import { createFileRoute } from "@tanstack/react-router";
import { AdminNav } from "#src/features/admin/admin-nav.tsx";
import { ModelsPage } from "#src/features/engines/models/page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/models")({
  staticData: { titleKey: "titles.models" },
  // Preloading must not begin to ask the server every second.
  preload: false,
  loader: async () => {
    const [{ openModels }] = await Promise.all([
      import("#src/features/engines/models/actor.ts"),
      loadTexts("models"),
      loadTexts("admin"),
    ]);
    return openModels();
  },
  onLeave: () => import("#src/features/engines/models/actor.ts").then((page) => page.closeModels()),
  component: Models,
});

function Models() {
  return <ModelsPage manager={Route.useLoaderData()} nav={<AdminNav here="models" />} />;
}
