import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/file-processing/$transcriptionId")({
  staticData: { titleKey: "titles.fileProcessing" },
  component: () => <Upcoming titleKey="titles.fileProcessing" />,
});
