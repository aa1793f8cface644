import { createFileRoute } from "@tanstack/react-router";
import { SettingsPage } from "../../components/settings/settings-page.tsx";
import { loadTexts } from "../../i18n/index.ts";

export const Route = createFileRoute("/_signedIn/settings")({
  staticData: { titleKey: "titles.settings" },
  loader: async () => {
    const [{ enterSettings }] = await Promise.all([import("../../app/settings.ts"), loadTexts("settings")]);
    return enterSettings();
  },
  onLeave: async () => (await import("../../app/settings.ts")).leaveSettings(),
  component: Settings,
});

function Settings() {
  return <SettingsPage settings={Route.useLoaderData()} />;
}
