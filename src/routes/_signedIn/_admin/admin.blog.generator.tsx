import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/generator")({
  staticData: { titleKey: "titles.blogGenerator" },
  component: () => <Upcoming titleKey="titles.blogGenerator" />,
});
