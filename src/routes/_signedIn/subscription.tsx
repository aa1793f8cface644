import { createFileRoute } from "@tanstack/react-router";
import { SubscriptionPage } from "#src/features/subscription/subscription-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/subscription")({
  staticData: { titleKey: "titles.subscription" },
  loader: async () => {
    const [{ openBilling }, { askUsage }] = await Promise.all([
      import("#src/features/subscription/billing.ts"),
      import("#src/features/subscription/usage.ts"),
      loadTexts("subscription"),
    ]);
    askUsage();
    return openBilling();
  },
  onLeave: () => import("#src/features/subscription/billing.ts").then((page) => page.closeBilling()),
  component: Subscribed,
});

function Subscribed() {
  return <SubscriptionPage billing={Route.useLoaderData()} />;
}
