import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/blog/$slug")({
  staticData: { titleKey: "titles.blogPost" },
  component: () => <Upcoming titleKey="titles.blogPost" />,
});
