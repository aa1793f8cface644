import { createFileRoute } from "@tanstack/react-router";
import { Notifications } from "#src/features/settings/notifications.tsx";
import { sectionRoute } from "#src/features/settings/section-route.ts";

export const Route = createFileRoute("/_signedIn/settings/notifications")({
  ...sectionRoute("notifications", (states) => states.notifications),
  component: () => {
    const { state, visit } = Route.useLoaderData();
    return <Notifications key={visit} {...state} />;
  },
});
