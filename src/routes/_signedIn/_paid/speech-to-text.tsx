import { createFileRoute } from "@tanstack/react-router";
import { SpeechToText } from "../../../components/speech/speech-to-text.tsx";

export const Route = createFileRoute("/_signedIn/_paid/speech-to-text")({
  staticData: { titleKey: "titles.speechToText" },
  loader: async () => {
    const [{ openRecorder }, { loadEngines }] = await Promise.all([
      import("../../../app/recorder.ts"),
      import("../../../app/engines.ts"),
    ]);
    return { recorder: openRecorder(), engines: await loadEngines() };
  },
  onLeave: async () => (await import("../../../app/recorder.ts")).leaveRecorder(),
  component: Speech,
});

function Speech() {
  return <SpeechToText {...Route.useLoaderData()} />;
}
