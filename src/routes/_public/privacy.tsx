import { createFileRoute } from "@tanstack/react-router";
import { loadInfo } from "#src/features/landing/info.ts";
import { InfoPage } from "#src/features/landing/info-page.tsx";

export const Route = createFileRoute("/_public/privacy")({
  staticData: { titleKey: "titles.privacy", descriptionKey: "landing:leads.privacy", html: "built" },
  loader: () => loadInfo("privacy", true),
  component: InfoPage,
});
