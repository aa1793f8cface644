import { createFileRoute } from "@tanstack/react-router";
import { ChunksPage } from "#src/features/engines/chunked-transcription-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

/** Where a developer checks an engine (SPEC.md section 2). Whoever is signed out sees what it is, and how to sign in. */
export const Route = createFileRoute("/_public/test/chunked-transcription")({
  staticData: { titleKey: "titles.chunkedTest" },
  loader: async ({ preload }) => {
    if (preload) return undefined;
    const [{ enterChunkLab }] = await Promise.all([import("#src/features/engines/test-pages.ts"), loadTexts("engines")]);
    return enterChunkLab();
  },
  onLeave: () => import("#src/features/engines/test-pages.ts").then((page) => page.closeLabs()),
  component: Test,
});

function Test() {
  const parts = Route.useLoaderData();
  return parts === undefined ? null : <ChunksPage {...parts} />;
}
