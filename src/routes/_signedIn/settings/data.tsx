import { createFileRoute } from "@tanstack/react-router";
import { Data } from "#src/features/settings/data.tsx";
import { sectionRoute } from "#src/features/settings/section-route.ts";

export const Route = createFileRoute("/_signedIn/settings/data")({
  ...sectionRoute("data", (states) => states.data, ["retention", "filing", "device-models"]),
  component: () => {
    const { state, visit } = Route.useLoaderData();
    return <Data key={visit} {...state} />;
  },
});
