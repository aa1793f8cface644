import { createFileRoute } from "@tanstack/react-router";
import { SettingsPage } from "#src/features/settings/settings-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/settings")({
  staticData: { titleKey: "titles.settings" },
  loader: () => loadTexts("settings"),
  component: SettingsPage,
});
