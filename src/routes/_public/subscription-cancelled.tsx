import { createFileRoute } from "@tanstack/react-router";
import { Cancelled } from "../../components/subscription/outcome.tsx";
import { loadTexts } from "../../i18n/index.ts";

export const Route = createFileRoute("/_public/subscription-cancelled")({
  staticData: { titleKey: "titles.subscriptionCancelled" },
  loader: async ({ location }) => {
    const [{ openCheckout }] = await Promise.all([import("../../app/billing.ts"), loadTexts("billing")]);
    return openCheckout(location.search);
  },
  onLeave: async () => (await import("../../app/billing.ts")).closeBilling(),
  component: NotPaid,
});

function NotPaid() {
  return <Cancelled {...Route.useLoaderData()} />;
}
