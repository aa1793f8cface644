import { createFileRoute } from "@tanstack/react-router";
import { Success } from "../../components/subscription/outcome.tsx";
import { loadTexts } from "../../i18n/index.ts";

export const Route = createFileRoute("/_public/subscription-success")({
  staticData: { titleKey: "titles.subscriptionSuccess" },
  loader: async ({ preload }) => {
    if (preload) return undefined;
    const [{ openCheckoutReturn }] = await Promise.all([import("../../app/billing.ts"), loadTexts("billing")]);
    return openCheckoutReturn();
  },
  onLeave: async () => (await import("../../app/billing.ts")).closeCheckoutReturn(),
  component: Succeeded,
});

function Succeeded() {
  const actor = Route.useLoaderData();
  return actor === undefined ? null : <Success actor={actor} />;
}
