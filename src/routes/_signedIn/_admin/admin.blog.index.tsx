import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/")({
  staticData: { titleKey: "titles.blogAdmin" },
  component: () => <Upcoming titleKey="titles.blogAdmin" />,
});
