import { createFileRoute } from "@tanstack/react-router";
import { loadInfo } from "#src/features/landing/info.ts";
import { InfoPage } from "#src/features/landing/info-page.tsx";

export const Route = createFileRoute("/_public/terms")({
  staticData: { titleKey: "titles.terms", descriptionKey: "landing:leads.terms", html: "built" },
  loader: () => loadInfo("terms", false),
  component: InfoPage,
});
