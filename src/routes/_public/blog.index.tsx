import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/blog/")({
  staticData: { titleKey: "titles.blog" },
  component: () => <Upcoming titleKey="titles.blog" />,
});
