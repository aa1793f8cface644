import { createFileRoute, Link, redirect } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { hasStoredToken } from "../../app/token-hint.ts";
import { type AccountField, AccountForm } from "../../components/account/account-form.tsx";
import { FederatedSignIn } from "../../components/account/federated-sign-in.tsx";

export const Route = createFileRoute("/_public/signin")({
  staticData: { titleKey: "titles.signIn" },
  beforeLoad: async ({ abortController }) => {
    if (!hasStoredToken()) return;
    const { isSignedIn } = await import("../../app/guard.ts");
    if (await isSignedIn(abortController.signal)) throw redirect({ to: "/dashboard", replace: true });
  },
  loader: async () => (await import("../../app/account.ts")).enter("signIn"),
  onLeave: async () => (await import("../../app/account.ts")).leave("signIn"),
  component: SignIn,
});

const fields: readonly AccountField[] = [
  { name: "email", label: "account.email", type: "email", autoComplete: "username", inputMode: "email", required: true },
  { name: "password", label: "account.password", type: "password", autoComplete: "current-password", required: true },
];

function SignIn() {
  const { t } = useTranslation();
  return (
    <AccountForm
      form={Route.useLoaderData()}
      title={t("account.signInTitle")}
      submitLabel={t("account.signIn")}
      fields={fields}
      alternative={<FederatedSignIn />}
    >
      {t("account.noAccount")}
      <Link to="/signup">{t("account.signUpTitle")}</Link>
    </AccountForm>
  );
}
