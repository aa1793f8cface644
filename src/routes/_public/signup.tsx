import { ClientOnly, createFileRoute, Link } from "@tanstack/react-router";
import { Trans, useTranslation } from "react-i18next";
import { prices } from "#contract/prices.ts";
import { wantedInterval } from "#machines/subscription/rules.ts";
import { type AccountField, AccountForm } from "#src/features/account/account-form.tsx";
import { FederatedSignIn } from "#src/features/account/federated-sign-in.tsx";
import { emailField, newPasswordField } from "#src/features/account/fields.ts";
import { blankForms, forms, onlyVisitors } from "#src/features/account/route.ts";
import { LanguagesHere } from "#src/features/engines/languages-here.tsx";
import { money } from "#src/i18n/format.ts";

export const Route = createFileRoute("/_public/signup")({
  staticData: { titleKey: "titles.signUp", html: "built" },
  beforeLoad: onlyVisitors,
  loader: async (visit) =>
    import.meta.env.SSR ? (await blankForms()).signUp(visit.location.search) : (await forms()).enterFor(visit),
  onLeave: async () => (await forms()).leave("signUp"),
  component: SignUp,
});

const fields: readonly AccountField[] = [
  { name: "name", label: "account.name", type: "text", autoComplete: "name" },
  emailField,
  { ...newPasswordField, label: "account.newPassword" },
];

function SignUp() {
  const { t, i18n } = useTranslation();
  const interval = wantedInterval(Route.useSearch());
  const price = interval && money(prices[interval], prices.currency, i18n.language);
  return (
    <AccountForm
      form={Route.useLoaderData()}
      title={t("account.signUpTitle")}
      notice={<LanguagesHere />}
      lead={interval && t(`subscription:offer.${interval}Next`, { price })}
      submitLabel={t("titles.signUp")}
      fields={fields}
      alternative={
        <ClientOnly>
          <FederatedSignIn />
        </ClientOnly>
      }
    >
      <span>
        {t("account.haveAccount")}{" "}
        <Link to="/signin" search={true}>
          {t("account.signIn")}
        </Link>
      </span>
      {/* The links open in a new tab, so that the form keeps its values. */}
      <span>
        <Trans
          t={t}
          i18nKey="account.agreement"
          components={{ terms: <Link to="/terms" target="_blank" />, privacy: <Link to="/privacy" target="_blank" /> }}
        />
      </span>
    </AccountForm>
  );
}
