import { createFileRoute } from "@tanstack/react-router";
import { TranslatorPage } from "../../../components/translator/translator-page.tsx";

export const Route = createFileRoute("/_signedIn/_paid/voice-translator")({
  // Free tier (SPEC.md section 5).
  staticData: { titleKey: "titles.voiceTranslator", need: "signedIn" },
  loader: async ({ abortController }) => {
    const [{ openTranslator }, { watchUsage }, { loadTexts }] = await Promise.all([
      import("../../../app/translator.ts"),
      import("../../../app/usage.ts"),
      import("../../../i18n/index.ts"),
    ]);
    const [translator] = await Promise.all([openTranslator(abortController.signal), loadTexts("translator")]);
    return { leaveUsage: watchUsage(), translator };
  },
  onLeave: async ({ loaderData }) => {
    loaderData?.leaveUsage();
    (await import("../../../app/translator.ts")).leaveTranslator();
  },
  component: VoiceTranslator,
});

function VoiceTranslator() {
  const { translator } = Route.useLoaderData();
  return <TranslatorPage translator={translator} />;
}
