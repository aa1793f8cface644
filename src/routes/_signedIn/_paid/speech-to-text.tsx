import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "#src/api/engines.ts";
import { SpeechToText } from "#src/features/dictation/speech-to-text.tsx";
import { NotOffered } from "#src/features/shell/not-offered.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_paid/speech-to-text")({
  // One chunk with the loader, because the service worker caches what both may load (scripts/build.mjs).
  codeSplitGroupings: [["loader", "component"]],
  // Free tier (SPEC.md section 5).
  staticData: { titleKey: "titles.speechToText", need: "signedIn" },
  loader: async () => {
    const [{ openRecorder }, { openBrowserSpeech }, { loadFileEngines }, { watchUsage }, { addHandedOver }] = await Promise.all([
      import("#src/features/dictation/actor.ts"),
      import("#src/features/dictation/browser-speech.ts"),
      import("#src/features/engines/actor.ts"),
      import("#src/features/subscription/usage.ts"),
      import("#src/features/uploads/add-handed-over.ts"),
    ]);
    const [engines] = await Promise.all([loadFileEngines(), loadTexts("dictation"), loadTexts("device-models")]);
    addHandedOver(engines);
    return { leaveUsage: watchUsage(), recorder: openRecorder(), speech: openBrowserSpeech(engines), engines };
  },
  onLeave: async ({ loaderData }) => {
    loaderData?.leaveUsage();
    await import("#src/features/dictation/actor.ts").then((page) => page.leaveRecorder());
  },
  component: Speech,
});

function Speech() {
  const { recorder, engines, speech } = Route.useLoaderData();
  if (!canTranscribe(engines)) return <NotOffered feature="transcribing" />;
  return <SpeechToText recorder={recorder} engines={engines} speech={speech} />;
}
