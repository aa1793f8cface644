import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/_admin/blog/admin/generator")({
  staticData: { titleKey: "titles.blogGenerator" },
  component: () => <Upcoming titleKey="titles.blogGenerator" />,
});
