import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/contact")({
  staticData: { titleKey: "titles.contact" },
  component: () => <Upcoming titleKey="titles.contact" />,
});
