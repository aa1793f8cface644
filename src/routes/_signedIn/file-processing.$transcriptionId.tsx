import { createFileRoute } from "@tanstack/react-router";
import { ProcessingPage } from "#src/features/uploads/processing-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/file-processing/$transcriptionId")({
  staticData: { titleKey: "titles.fileProcessing" },
  loader: async ({ params }) => {
    const [{ openProcessing }] = await Promise.all([import("#src/features/uploads/processing-actor.ts"), loadTexts("uploads")]);
    return { processing: openProcessing(params.transcriptionId) };
  },
  onLeave: () => import("#src/features/uploads/processing-actor.ts").then((page) => page.leaveProcessing()),
  component: () => <ProcessingPage {...Route.useLoaderData()} />,
});
