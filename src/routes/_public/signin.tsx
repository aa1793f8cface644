import { ClientOnly, createFileRoute, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { type AccountField, AccountForm } from "#src/features/account/account-form.tsx";
import { FederatedSignIn } from "#src/features/account/federated-sign-in.tsx";
import { emailField, passwordField } from "#src/features/account/fields.ts";
import { blankForms, forms, onlyVisitors, passkeys } from "#src/features/account/route.ts";
import { PasskeySignIn } from "#src/features/passkeys/passkey-sign-in.tsx";
import styles from "#src/features/passkeys/passkeys.module.css";

export const Route = createFileRoute("/_public/signin")({
  staticData: { titleKey: "titles.signIn", html: "built" },
  beforeLoad: onlyVisitors,
  loader: async (visit) => {
    if (import.meta.env.SSR) return { form: (await blankForms()).signIn(), passkey: null };
    const [{ enterSignIn }, { enterPasskeySignIn }] = await Promise.all([forms(), passkeys()]);
    return { form: enterSignIn(visit), passkey: enterPasskeySignIn(true) };
  },
  onLeave: async () => {
    const [{ leave }, { leavePasskeySignIn }] = await Promise.all([forms(), passkeys()]);
    leave("signIn");
    await leavePasskeySignIn();
  },
  component: SignIn,
});

const fields: readonly AccountField[] = [{ ...emailField, autoComplete: "username webauthn" }, passwordField];

function SignIn() {
  const { t } = useTranslation();
  const { form, passkey } = Route.useLoaderData();
  return (
    <AccountForm
      form={form}
      title={t("account.signInTitle")}
      submitLabel={t("account.signIn")}
      fields={fields}
      alternative={
        <ClientOnly fallback={<div className={styles.place} />}>
          <Suspense fallback={<div className={styles.place} />}>
            {passkey === null ? null : <PasskeySignIn entered={passkey} />}
          </Suspense>
          <FederatedSignIn />
        </ClientOnly>
      }
    >
      <span>
        {t("account.noAccount")}{" "}
        <Link to="/signup" search={true}>
          {t("titles.signUp")}
        </Link>
      </span>
      <Link to="/forgot-password">{t("titles.forgotPassword")}</Link>
    </AccountForm>
  );
}
