import { createFileRoute } from "@tanstack/react-router";
import { SubscriptionPage } from "../../components/subscription/subscription-page.tsx";
import { loadTexts } from "../../i18n/index.ts";

export const Route = createFileRoute("/_signedIn/subscription")({
  staticData: { titleKey: "titles.subscription" },
  loader: async () => {
    const [{ openBilling }, { askUsage }] = await Promise.all([
      import("../../app/billing.ts"),
      import("../../app/usage.ts"),
      loadTexts("billing"),
    ]);
    askUsage();
    return openBilling();
  },
  onLeave: async () => (await import("../../app/billing.ts")).closeBilling(),
  component: Subscribed,
});

function Subscribed() {
  return <SubscriptionPage billing={Route.useLoaderData()} />;
}
