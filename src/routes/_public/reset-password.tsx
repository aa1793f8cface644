import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/reset-password")({
  staticData: { titleKey: "titles.resetPassword" },
  component: () => <Upcoming titleKey="titles.resetPassword" />,
});
