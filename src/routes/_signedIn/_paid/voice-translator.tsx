import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_paid/voice-translator")({
  // Free tier (SPEC.md section 5).
  staticData: { titleKey: "titles.voiceTranslator", need: "signedIn" },
  component: () => <Upcoming titleKey="titles.voiceTranslator" />,
});
