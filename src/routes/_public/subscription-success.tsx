import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/subscription-success")({
  staticData: { titleKey: "titles.subscriptionSuccess" },
  component: () => <Upcoming titleKey="titles.subscriptionSuccess" />,
});
