import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/email-verification")({
  staticData: { titleKey: "titles.emailVerification" },
  component: () => <Upcoming titleKey="titles.emailVerification" />,
});
