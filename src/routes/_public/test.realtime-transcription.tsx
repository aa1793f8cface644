import { createFileRoute } from "@tanstack/react-router";
import { LivePage } from "#src/features/engines/realtime-transcription-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

/** Where a developer checks an engine (SPEC.md section 2). Whoever is signed out sees what it is, and how to sign in. */
export const Route = createFileRoute("/_public/test/realtime-transcription")({
  staticData: { titleKey: "titles.realtimeTest" },
  loader: async ({ preload }) => {
    if (preload) return undefined;
    const [{ enterLiveLab }] = await Promise.all([import("#src/features/engines/test-pages.ts"), loadTexts("engines")]);
    return enterLiveLab();
  },
  onLeave: () => import("#src/features/engines/test-pages.ts").then((page) => page.closeLabs()),
  component: Test,
});

function Test() {
  const parts = Route.useLoaderData();
  return parts === undefined ? null : <LivePage {...parts} />;
}
