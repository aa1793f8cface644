import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_paid/encrypted-audio/")({
  staticData: { titleKey: "titles.encryptedAudio" },
  component: () => <Upcoming titleKey="titles.encryptedAudio" />,
});
