import { createFileRoute } from "@tanstack/react-router";
import { LivePage } from "#src/features/debug/realtime-transcription-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

/** Engine test for developers (SPEC.md section 2). Signed-out users get an explanation and a link to the sign-in. */
export const Route = createFileRoute("/_public/test/realtime-transcription")({
  staticData: { titleKey: "titles.realtimeTest" },
  preload: false,
  loader: async () => {
    const [{ enterLiveLab }] = await Promise.all([import("#src/features/debug/test-pages.ts"), loadTexts("debug")]);
    return enterLiveLab();
  },
  onLeave: () => import("#src/features/debug/test-pages.ts").then((page) => page.closeLabs()),
  component: () => <LivePage {...Route.useLoaderData()} />,
});
