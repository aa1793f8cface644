import { createFileRoute } from "@tanstack/react-router";
import { Upcoming } from "../../components/upcoming/upcoming.tsx";

export const Route = createFileRoute("/_public/debug/languages")({
  staticData: { titleKey: "titles.languageTester" },
  component: () => <Upcoming titleKey="titles.languageTester" />,
});
