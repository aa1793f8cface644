import { createFileRoute } from "@tanstack/react-router";
import { sectionRoute } from "#src/features/settings/section-route.ts";
import { Security } from "#src/features/settings/security.tsx";

export const Route = createFileRoute("/_signedIn/settings/security")({
  ...sectionRoute("security", (states) => states.security, ["second-factor", "passkeys"]),
  component: () => {
    const { state, visit } = Route.useLoaderData();
    return <Security key={visit} {...state} />;
  },
});
