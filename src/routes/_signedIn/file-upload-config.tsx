import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/file-upload-config")({
  staticData: { titleKey: "titles.fileUploadConfig" },
  component: () => <Upcoming titleKey="titles.fileUploadConfig" />,
});
