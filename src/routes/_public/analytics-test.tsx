import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/analytics-test")({
  staticData: { titleKey: "titles.analyticsTest" },
  component: () => <Upcoming titleKey="titles.analyticsTest" />,
});
