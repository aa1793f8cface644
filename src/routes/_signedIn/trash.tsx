import { createFileRoute } from "@tanstack/react-router";
import { TrashPage } from "#src/features/transcriptions/trash-page.tsx";

export const Route = createFileRoute("/_signedIn/trash")({
  staticData: { titleKey: "app:trash.title" },
  loader: async () => {
    const [{ openTrash }, { openTranscriptions }] = await Promise.all([
      import("#src/features/transcriptions/trash-actor.ts"),
      import("#src/features/transcriptions/actor.ts"),
    ]);
    return { ...openTrash(), filing: openTranscriptions().filing };
  },
  component: () => <TrashPage {...Route.useLoaderData()} />,
});
