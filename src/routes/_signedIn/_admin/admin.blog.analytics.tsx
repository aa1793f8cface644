import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/analytics")({
  staticData: { titleKey: "titles.blogAnalytics" },
  component: () => <Upcoming titleKey="titles.blogAnalytics" />,
});
