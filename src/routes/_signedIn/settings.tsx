import { createFileRoute } from "@tanstack/react-router";
import { SettingsPage } from "#src/features/settings/settings-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/settings")({
  staticData: { titleKey: "titles.settings" },
  loader: async () => {
    const [{ enterSettings }, { enterVocabulary }] = await Promise.all([
      import("#src/features/settings/actor.ts"),
      import("#src/features/vocabulary/actor.ts"),
      loadTexts("settings"),
      loadTexts("vocabulary"),
    ]);
    return { settings: enterSettings(), vocabulary: enterVocabulary() };
  },
  onLeave: async () => {
    const [{ leaveSettings }, { leaveVocabulary }] = await Promise.all([
      import("#src/features/settings/actor.ts"),
      import("#src/features/vocabulary/actor.ts"),
    ]);
    leaveSettings();
    leaveVocabulary();
  },
  component: Settings,
});

function Settings() {
  return <SettingsPage {...Route.useLoaderData()} />;
}
