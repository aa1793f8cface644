import { createFileRoute } from "@tanstack/react-router";
import { TranslatorPage } from "#src/features/translator/translator-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_paid/voice-translator")({
  // Free tier (SPEC.md section 5).
  staticData: { titleKey: "titles.voiceTranslator", need: "signedIn" },
  loader: async ({ abortController }) => {
    const [{ openTranslator }, { watchUsage }] = await Promise.all([
      import("#src/features/translator/actor.ts"),
      import("#src/features/subscription/usage.ts"),
    ]);
    const [translator] = await Promise.all([
      openTranslator(abortController.signal),
      loadTexts("translator"),
      loadTexts("dictation"),
    ]);
    return { leaveUsage: watchUsage(), translator };
  },
  onLeave: async ({ loaderData }) => {
    loaderData?.leaveUsage();
    await import("#src/features/translator/actor.ts").then((page) => page.leaveTranslator());
  },
  component: VoiceTranslator,
});

function VoiceTranslator() {
  const { translator } = Route.useLoaderData();
  return <TranslatorPage translator={translator} />;
}
