import { createFileRoute } from "@tanstack/react-router";
import { loadInfo } from "#src/features/landing/info.ts";
import { InfoPage } from "#src/features/landing/info-page.tsx";

export const Route = createFileRoute("/_public/about")({
  staticData: { titleKey: "titles.about", descriptionKey: "landing:leads.about", html: "built" },
  loader: () => loadInfo("about", true),
  component: InfoPage,
});
