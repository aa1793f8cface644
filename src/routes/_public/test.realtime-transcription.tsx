import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/test/realtime-transcription")({
  staticData: { titleKey: "titles.realtimeTest" },
  component: () => <Upcoming titleKey="titles.realtimeTest" />,
});
