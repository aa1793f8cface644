import { createFileRoute } from "@tanstack/react-router";
import { TranscriptPage } from "#src/features/transcription/transcript-page.tsx";

export const Route = createFileRoute("/_signedIn/transcription/$id")({
  staticData: { titleKey: "titles.transcription" },
  loader: async ({ params }) => (await import("#src/features/transcription/actor.ts")).enterTranscription(params.id),
  onLeave: async () => (await import("#src/features/transcription/actor.ts")).closeTranscription(),
  component: Transcript,
});

function Transcript() {
  return <TranscriptPage {...Route.useLoaderData()} />;
}
