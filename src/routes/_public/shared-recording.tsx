import { createFileRoute } from "@tanstack/react-router";
import { RecordingPage } from "#src/features/sharing/recording-visit-page.tsx";

const visit = () => import("#src/features/sharing/recording-visit-actor.ts");

/** A link to a recording in a vault. What opens it is in the fragment. */
export const Route = createFileRoute("/_public/shared-recording")({
  staticData: { titleKey: "titles.encryptedAudio" },
  loader: async () => (await visit()).enterRecordingVisit(),
  onLeave: async () => (await visit()).leaveRecordingVisit(),
  component: SharedRecording,
});

function SharedRecording() {
  return <RecordingPage visit={Route.useLoaderData()} />;
}
