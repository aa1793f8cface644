import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_admin/admin/")({
  staticData: { titleKey: "titles.admin" },
  component: () => <Upcoming titleKey="titles.admin" />,
});
