import { createFileRoute } from "@tanstack/react-router";
import { TranscriptPage } from "#src/features/transcription/transcript-page.tsx";
import { awaitedPart } from "#src/ui/lazy-part.tsx";

/** Loaded when the user opens it. */
const SharingPanel = awaitedPart(async () => (await import("#src/features/sharing/panel.tsx")).SharingPanel, "sharing", "people");

const opened = () => import("#src/features/transcription/opened.ts");
const actor = () => import("#src/features/transcription/actor.ts");

export const Route = createFileRoute("/_signedIn/transcription/$id")({
  staticData: { titleKey: "titles.transcription" },
  // `at`: where playback starts, in seconds. `find`: the words of the search that has found the transcript.
  validateSearch: (asked: { at?: number; find?: string }): { at?: number; find?: string } => asked,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps, cause }) =>
    actor().then((page) => page.enterTranscription(params.id, { ...deps, isShown: cause === "stay" })),
  onEnter: async ({ params }) => (await opened()).enterOpened(params.id),
  onLeave: async () => {
    (await opened()).leaveOpened();
    (await actor()).closeTranscription();
  },
  component: () => <TranscriptPage {...Route.useLoaderData()} sharingPanel={SharingPanel} />,
});
