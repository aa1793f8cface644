import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/terms")({
  staticData: { titleKey: "titles.terms" },
  component: () => <Upcoming titleKey="titles.terms" />,
});
