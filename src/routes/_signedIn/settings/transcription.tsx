import { createFileRoute } from "@tanstack/react-router";
import { sectionRoute } from "#src/features/settings/section-route.ts";
import { Transcription } from "#src/features/settings/transcription.tsx";

export const Route = createFileRoute("/_signedIn/settings/transcription")({
  ...sectionRoute("transcription", (states) => states.transcription, ["feeds", "vocabulary", "voice-profiles"]),
  component: () => {
    const { state, visit } = Route.useLoaderData();
    return <Transcription key={visit} {...state} />;
  },
});
