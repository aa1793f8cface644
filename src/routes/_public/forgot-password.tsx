import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/forgot-password")({
  staticData: { titleKey: "titles.forgotPassword" },
  component: () => <Upcoming titleKey="titles.forgotPassword" />,
});
