import { createFileRoute } from "@tanstack/react-router";
import { TranscriptPage } from "../../components/transcript/transcript-page.tsx";

export const Route = createFileRoute("/_signedIn/transcription/$id")({
  staticData: { titleKey: "titles.transcription" },
  loader: async ({ params }) => (await import("../../app/transcription.ts")).enterTranscription(params.id),
  onLeave: async () => (await import("../../app/transcription.ts")).closeTranscription(),
  component: Transcript,
});

function Transcript() {
  return <TranscriptPage {...Route.useLoaderData()} />;
}
