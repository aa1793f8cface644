import { createFileRoute } from "@tanstack/react-router";
import { Account } from "#src/features/settings/account.tsx";
import { sectionRoute } from "#src/features/settings/section-route.ts";

export const Route = createFileRoute("/_signedIn/settings/account")({
  ...sectionRoute("account", (states) => states.account),
  component: () => {
    const { state, visit } = Route.useLoaderData();
    return <Account key={visit} {...state} />;
  },
});
