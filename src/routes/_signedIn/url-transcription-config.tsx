import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/url-transcription-config")({
  staticData: { titleKey: "titles.urlConfig" },
  component: () => <Upcoming titleKey="titles.urlConfig" />,
});
