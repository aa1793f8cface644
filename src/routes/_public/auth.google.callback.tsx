import { createFileRoute } from "@tanstack/react-router";
import { FederatedReturn } from "#src/features/account/federated-return.tsx";
import { LinkAccounts } from "#src/features/account/link-accounts.tsx";

/** The return from another provider (SPEC.md section 2). What it brings along is out of the address already: src/features/session/oauth-callback.ts. */
export const Route = createFileRoute("/_public/auth/google/callback")({
  staticData: { titleKey: "titles.signIn" },
  loader: async () => {
    const [{ openReturn }, { openFederated }] = await Promise.all([
      import("#src/features/account/federated-return-actor.ts"),
      import("#src/features/session/federated-sign-in.ts"),
    ]);
    openFederated().send({ type: "provider.wanted" });
    return openReturn();
  },
  onLeave: () => import("#src/features/account/federated-return-actor.ts").then((page) => page.closeReturn()),
  component: Callback,
});

function Callback() {
  const returning = Route.useLoaderData();
  if (returning.kind === "linking") return <LinkAccounts linking={returning.linking} />;
  return <FederatedReturn actor={returning.actor} />;
}
