import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/email-confirm-success")({
  staticData: { titleKey: "titles.emailConfirmed" },
  component: () => <Upcoming titleKey="titles.emailConfirmed" />,
});
