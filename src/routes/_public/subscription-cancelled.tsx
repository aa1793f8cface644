import { createFileRoute } from "@tanstack/react-router";
import { Cancelled } from "#src/features/subscription/outcome.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_public/subscription-cancelled")({
  staticData: { titleKey: "titles.subscriptionCancelled" },
  loader: async ({ location }) => {
    const [{ openCheckout }] = await Promise.all([import("#src/features/subscription/billing.ts"), loadTexts("subscription")]);
    return openCheckout(location.search);
  },
  onLeave: () => import("#src/features/subscription/billing.ts").then((page) => page.closeBilling()),
  component: () => <Cancelled {...Route.useLoaderData()} />,
});
