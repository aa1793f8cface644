import { createFileRoute } from "@tanstack/react-router";
import { FederatedReturn } from "../../components/account/federated-return.tsx";
import { LinkAccounts } from "../../components/account/link-accounts.tsx";

/** The return from another provider (SPEC.md section 2). What it brings along is out of the address already: src/app/arrival.ts. */
export const Route = createFileRoute("/_public/auth/google/callback")({
  staticData: { titleKey: "titles.signIn" },
  loader: async () => {
    const [{ openReturn }, { federated }] = await Promise.all([
      import("../../app/federated-return.ts"),
      import("../../app/federated.ts"),
    ]);
    federated.send({ type: "provider.wanted" });
    return openReturn();
  },
  onLeave: async () => (await import("../../app/federated-return.ts")).closeReturn(),
  component: Callback,
});

function Callback() {
  const returning = Route.useLoaderData();
  if (returning.kind === "linking") return <LinkAccounts linking={returning.linking} />;
  return <FederatedReturn actor={returning.actor} />;
}
