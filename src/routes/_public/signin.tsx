import { ClientOnly, createFileRoute, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type AccountField, AccountForm } from "#src/features/account/account-form.tsx";
import { FederatedSignIn } from "#src/features/account/federated-sign-in.tsx";
import { blankForms, forms, onlyVisitors } from "#src/features/account/route.ts";

export const Route = createFileRoute("/_public/signin")({
  staticData: { titleKey: "titles.signIn" },
  beforeLoad: onlyVisitors,
  loader: async () => (import.meta.env.SSR ? (await blankForms()).signIn() : (await forms()).enter("signIn")),
  onLeave: async () => (await forms()).leave("signIn"),
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
      alternative={
        <ClientOnly>
          <FederatedSignIn />
        </ClientOnly>
      }
    >
      <span>
        {t("account.noAccount")}{" "}
        <Link to="/signup" search={true}>
          {t("account.signUpTitle")}
        </Link>
      </span>
      <Link to="/forgot-password">{t("titles.forgotPassword")}</Link>
    </AccountForm>
  );
}
