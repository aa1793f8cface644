import { createFileRoute, redirect } from "@tanstack/react-router";
import { FederatedReturn } from "#src/features/account/federated-return.tsx";
import { LinkAccounts } from "#src/features/account/link-accounts.tsx";

/**
 * The OAuth callback (SPEC.md section 2). src/features/session/oauth-callback.ts has already removed its parameters.
 */
export const Route = createFileRoute("/_public/auth/google/callback")({
  staticData: { titleKey: "titles.signIn" },
  loader: async () => {
    const [{ openReturn, closeReturn }, { openFederated }] = await Promise.all([
      import("#src/features/account/federated-return-actor.ts"),
      import("#src/features/session/federated-sign-in.ts"),
    ]);
    openFederated().send({ type: "provider.requested" });
    const returning = await openReturn();
    if (returning.kind === "secondStep") {
      // The router never enters a route whose loader redirects, so it does not call `onLeave` either.
      await closeReturn();
      throw redirect({ to: "/second-step", replace: true });
    }
    return returning;
  },
  onLeave: () => import("#src/features/account/federated-return-actor.ts").then((page) => page.closeReturn()),
  component: Callback,
});

function Callback() {
  const returning = Route.useLoaderData();
  if (returning.kind === "linking") return <LinkAccounts linking={returning.linking} />;
  return <FederatedReturn actor={returning.actor} />;
}
