import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/editor")({
  staticData: { titleKey: "titles.blogEditor" },
  component: () => <Upcoming titleKey="titles.blogEditor" />,
});
