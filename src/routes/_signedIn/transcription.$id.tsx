import { createFileRoute } from "@tanstack/react-router";
import { TranscriptPage } from "#src/features/transcription/transcript-page.tsx";

const title = () => import("#src/features/transcription/page-title.ts");

export const Route = createFileRoute("/_signedIn/transcription/$id")({
  staticData: { titleKey: "titles.transcription" },
  // From where it is to be played, in seconds; or the words for which it was found.
  validateSearch: (asked: { at?: number; find?: string }): { at?: number; find?: string } => asked,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps, cause }) =>
    import("#src/features/transcription/actor.ts").then((page) =>
      page.enterTranscription(params.id, { ...deps, isShown: cause === "stay" }),
    ),
  onEnter: async ({ params }) => (await title()).showTitle(params.id),
  onLeave: async () => {
    (await title()).hideTitle();
    (await import("#src/features/transcription/actor.ts")).closeTranscription();
  },
  component: Transcript,
});

function Transcript() {
  return <TranscriptPage {...Route.useLoaderData()} />;
}
