import { createFileRoute } from "@tanstack/react-router";
import { Developer } from "#src/features/settings/developer.tsx";
import { sectionRoute } from "#src/features/settings/section-route.ts";

export const Route = createFileRoute("/_signedIn/settings/developer")({
  ...sectionRoute("developer", (states) => states.developer, ["personal-tokens", "webhooks"]),
  component: () => {
    const { state, visit } = Route.useLoaderData();
    return <Developer key={visit} {...state} />;
  },
});
