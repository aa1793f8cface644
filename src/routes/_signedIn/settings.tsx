import { createFileRoute } from "@tanstack/react-router";
import { SettingsPage } from "#src/features/settings/settings-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/settings")({
  staticData: { titleKey: "titles.settings" },
  loader: async () => {
    const [{ enterSettings }] = await Promise.all([import("#src/features/settings/enter.ts"), loadTexts("settings")]);
    return enterSettings();
  },
  onLeave: () => import("#src/features/settings/enter.ts").then((page) => page.leaveSettings()),
  component: Settings,
});

function Settings() {
  return <SettingsPage {...Route.useLoaderData()} />;
}
