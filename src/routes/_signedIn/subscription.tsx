import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/subscription")({
  staticData: { titleKey: "titles.subscription" },
  component: () => <Upcoming titleKey="titles.subscription" />,
});
