import { createFileRoute } from "@tanstack/react-router";
import { SpeechToText } from "../../../components/speech/speech-to-text.tsx";
import { loadTexts } from "../../../i18n/index.ts";

export const Route = createFileRoute("/_signedIn/_paid/speech-to-text")({
  // Free tier (SPEC.md section 5).
  staticData: { titleKey: "titles.speechToText", need: "signedIn" },
  loader: async () => {
    const [{ openRecorder }, { loadEngines }, { watchUsage }] = await Promise.all([
      import("../../../app/recorder.ts"),
      import("../../../app/engines.ts"),
      import("../../../app/usage.ts"),
    ]);
    const [engines] = await Promise.all([loadEngines(), loadTexts("files")]);
    return { leaveUsage: watchUsage(), recorder: openRecorder(), engines };
  },
  onLeave: async ({ loaderData }) => {
    loaderData?.leaveUsage();
    (await import("../../../app/recorder.ts")).leaveRecorder();
  },
  component: Speech,
});

function Speech() {
  const { recorder, engines } = Route.useLoaderData();
  return <SpeechToText recorder={recorder} engines={engines} />;
}
