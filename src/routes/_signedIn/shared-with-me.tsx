import { createFileRoute } from "@tanstack/react-router";
import { SharedWithMePage } from "#src/features/people/shared-with-me-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/shared-with-me")({
  staticData: { titleKey: "app:sharedWithMe.title" },
  loader: async () => {
    const [{ openSharedWithMe }, { openTranscriptions }] = await Promise.all([
      import("#src/features/people/shared-with-me-actor.ts"),
      import("#src/features/transcriptions/actor.ts"),
      loadTexts("people-shared-with-me"),
    ]);
    return { ...openSharedWithMe(), filing: openTranscriptions().filing };
  },
  onLeave: () => import("#src/features/people/shared-with-me-actor.ts").then((page) => page.closeSharedWithMe()),
  component: () => <SharedWithMePage {...Route.useLoaderData()} />,
});
