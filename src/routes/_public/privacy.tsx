import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/privacy")({
  staticData: { titleKey: "titles.privacy" },
  component: () => <Upcoming titleKey="titles.privacy" />,
});
