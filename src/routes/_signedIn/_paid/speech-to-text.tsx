import { createFileRoute } from "@tanstack/react-router";
import { canTranscribe } from "../../../api/engines.ts";
import { NotOffered } from "../../../components/shell/not-offered.tsx";
import { SpeechToText } from "../../../components/speech/speech-to-text.tsx";

export const Route = createFileRoute("/_signedIn/_paid/speech-to-text")({
  // Free tier (SPEC.md section 5).
  staticData: { titleKey: "titles.speechToText", need: "signedIn" },
  loader: async () => {
    const [{ openRecorder }, { loadFileEngines }, { watchUsage }] = await Promise.all([
      import("../../../app/recorder.ts"),
      import("../../../app/engines.ts"),
      import("../../../app/usage.ts"),
    ]);
    const engines = await loadFileEngines();
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
  if (!canTranscribe(engines)) return <NotOffered feature="transcribing" />;
  return <SpeechToText recorder={recorder} engines={engines} />;
}
