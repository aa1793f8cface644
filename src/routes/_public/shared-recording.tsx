import { createFileRoute } from "@tanstack/react-router";
import { RecordingPage } from "#src/features/vault/visit-page.tsx";

const visit = () => import("#src/features/vault/visit-actor.ts");

/** A link to a recording in a vault. The fragment contains its key. */
export const Route = createFileRoute("/_public/shared-recording")({
  staticData: { titleKey: "titles.encryptedAudio" },
  loader: async () => (await visit()).recordingVisits.enter(),
  onLeave: async () => (await visit()).recordingVisits.leave(),
  component: () => <RecordingPage visit={Route.useLoaderData()} />,
});
