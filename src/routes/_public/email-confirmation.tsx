import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/email-confirmation")({
  staticData: { titleKey: "titles.emailConfirmation" },
  component: () => <Upcoming titleKey="titles.emailConfirmation" />,
});
