import { createFileRoute } from "@tanstack/react-router";
import { ChunksPage } from "#src/features/debug/chunked-transcription-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

/** Engine test for developers (SPEC.md section 2). Signed-out users get an explanation and a link to the sign-in. */
export const Route = createFileRoute("/_public/test/chunked-transcription")({
  staticData: { titleKey: "titles.chunkedTest" },
  preload: false,
  loader: async () => {
    const [{ enterChunkLab }] = await Promise.all([import("#src/features/debug/test-pages.ts"), loadTexts("debug")]);
    return enterChunkLab();
  },
  onLeave: () => import("#src/features/debug/test-pages.ts").then((page) => page.closeLabs()),
  component: () => <ChunksPage {...Route.useLoaderData()} />,
});
