import { createFileRoute } from "@tanstack/react-router";
import { TranscriptPage } from "#src/features/transcription/transcript-page.tsx";

export const Route = createFileRoute("/_signedIn/transcription/$id")({
  staticData: { titleKey: "titles.transcription" },
  loader: ({ params }) => import("#src/features/transcription/actor.ts").then((page) => page.enterTranscription(params.id)),
  onLeave: () => import("#src/features/transcription/actor.ts").then((page) => page.closeTranscription()),
  component: Transcript,
});

function Transcript() {
  return <TranscriptPage {...Route.useLoaderData()} />;
}
