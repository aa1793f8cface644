import { createFileRoute } from "@tanstack/react-router";
import { Preferences } from "#src/features/settings/preferences.tsx";
import { sectionRoute } from "#src/features/settings/section-route.ts";

export const Route = createFileRoute("/_signedIn/settings/preferences")({
  ...sectionRoute("preferences", (states) => states.preferences, ["shortcuts"]),
  component: () => {
    const { state, visit } = Route.useLoaderData();
    return <Preferences key={visit} {...state} />;
  },
});
