import { createFileRoute } from "@tanstack/react-router";
import { ProcessingPage } from "../../components/files/processing.tsx";
import { loadTexts } from "../../i18n/index.ts";

export const Route = createFileRoute("/_signedIn/file-processing/$transcriptionId")({
  staticData: { titleKey: "titles.fileProcessing" },
  loader: async ({ params }) => {
    const [{ openProcessing }] = await Promise.all([import("../../app/processing.ts"), loadTexts("files")]);
    return { processing: openProcessing(params.transcriptionId) };
  },
  onLeave: async () => (await import("../../app/processing.ts")).leaveProcessing(),
  component: Followed,
});

function Followed() {
  return <ProcessingPage {...Route.useLoaderData()} />;
}
