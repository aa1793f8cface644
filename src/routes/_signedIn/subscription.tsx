import { createFileRoute } from "@tanstack/react-router";
import { SubscriptionPage } from "#src/features/subscription/subscription-page.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_signedIn/subscription")({
  staticData: { titleKey: "titles.subscription" },
  loader: async (visit) => {
    const [{ openBilling }] = await Promise.all([import("#src/features/subscription/billing.ts"), loadTexts("subscription")]);
    return openBilling(visit);
  },
  onLeave: () => import("#src/features/subscription/billing.ts").then((page) => page.closeBilling()),
  component: Subscribed,
});

function Subscribed() {
  const billing = Route.useLoaderData();
  return billing === undefined ? null : <SubscriptionPage billing={billing} />;
}
