import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/settings")({
  staticData: { titleKey: "titles.settings" },
  component: () => <Upcoming titleKey="titles.settings" />,
});
