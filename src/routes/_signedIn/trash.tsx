import { createFileRoute } from "@tanstack/react-router";
import { TrashPage } from "#src/features/transcriptions/trash-page.tsx";

export const Route = createFileRoute("/_signedIn/trash")({
  staticData: { titleKey: "app:trash.title" },
  loader: () => import("#src/features/transcriptions/trash-actor.ts").then((page) => page.openTrash()),
  component: Trash,
});

function Trash() {
  return <TrashPage {...Route.useLoaderData()} />;
}
