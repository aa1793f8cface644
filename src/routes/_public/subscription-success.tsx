import { createFileRoute } from "@tanstack/react-router";
import { Success } from "#src/features/subscription/outcome.tsx";
import { loadTexts } from "#src/i18n/index.ts";

export const Route = createFileRoute("/_public/subscription-success")({
  staticData: { titleKey: "titles.subscriptionSuccess" },
  preload: false,
  loader: async () => {
    const [{ openCheckoutReturn }] = await Promise.all([
      import("#src/features/subscription/billing.ts"),
      loadTexts("subscription"),
    ]);
    return openCheckoutReturn();
  },
  onLeave: () => import("#src/features/subscription/billing.ts").then((page) => page.closeCheckoutReturn()),
  component: () => <Success actor={Route.useLoaderData()} />,
});
