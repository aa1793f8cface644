import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/test/chunked-transcription")({
  staticData: { titleKey: "titles.chunkedTest" },
  component: () => <Upcoming titleKey="titles.chunkedTest" />,
});
