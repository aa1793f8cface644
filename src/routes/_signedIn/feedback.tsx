import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_signedIn/feedback")({
  staticData: { titleKey: "titles.feedback" },
  component: () => <Upcoming titleKey="titles.feedback" />,
});
