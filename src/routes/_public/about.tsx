import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/about")({
  staticData: { titleKey: "titles.about" },
  component: () => <Upcoming titleKey="titles.about" />,
});
