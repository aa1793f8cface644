import { createFileRoute } from "@tanstack/react-router";
import { TranscriptPage } from "../../components/transcript/transcript-page.tsx";

export const Route = createFileRoute("/_signedIn/transcription/$id")({
  staticData: { titleKey: "titles.transcription" },
  loader: async ({ params }) => {
    const [{ openTranscription }, { loadEngines }] = await Promise.all([
      import("../../app/transcription.ts"),
      import("../../app/engines.ts"),
    ]);
    const open = openTranscription(params.id);
    // A transcript can be read without knowing what could translate it.
    const engines = await loadEngines().catch(() => null);
    return { open, engines };
  },
  onLeave: async () => (await import("../../app/transcription.ts")).closeTranscription(),
  component: Transcript,
});

function Transcript() {
  return <TranscriptPage {...Route.useLoaderData()} />;
}
