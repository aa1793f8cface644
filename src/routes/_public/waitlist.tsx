import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/waitlist")({
  staticData: { titleKey: "titles.waitlist" },
  component: () => <Upcoming titleKey="titles.waitlist" />,
});
