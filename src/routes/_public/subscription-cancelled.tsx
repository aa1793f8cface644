import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/subscription-cancelled")({
  staticData: { titleKey: "titles.subscriptionCancelled" },
  component: () => <Upcoming titleKey="titles.subscriptionCancelled" />,
});
