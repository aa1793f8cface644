import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectProvider } from "#machines/session/federated-sign-in.ts";
import { selectMessage } from "#machines/submission.ts";
import { openFederated } from "#src/features/session/federated-sign-in.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/page.tsx";
import { type AccountField, AccountForm } from "./account-form.tsx";
import type { Linking } from "./linking.ts";

const password: AccountField = {
  name: "password",
  label: "account.password",
  type: "password",
  autoComplete: "current-password",
  required: true,
};

/** Asks for the password of the account that is to be linked to the provider's account. */
export function LinkAccounts({ linking }: { linking: Linking }) {
  const { t } = useTranslation();
  const provider = useSelector(openFederated(), selectProvider) ?? "Google";
  const pending = useSyncExternalStore(linking.subscribe, linking.get);
  const loading = useSyncExternalStore(linking.load.subscribe, linking.load.get);
  const failure = useSelector(loading.form, selectMessage);
  if (failure !== null) {
    const isGone = "key" in failure && failure.key === "errors.gone";
    const retry = () => linking.load.get().form.send({ type: "submit.requested", values: {} });
    return (
      <div role="alert">
        <MessageScreen
          title={t("errors.providerFailed", { provider })}
          text={isGone ? t("account.linkGone") : "key" in failure ? t(failure.key, { ...failure.values }) : failure.text}
          action={isGone ? <BackToSignIn /> : <Button onClick={retry}>{t("account.retry")}</Button>}
        />
      </div>
    );
  }
  if (pending === null) return <LoadingScreen message={t("checking.authenticating")} />;
  return (
    <AccountForm
      form={linking.form}
      title={t("account.linkTitle")}
      lead={t("account.linkLead", { provider, email: pending.email, theirs: pending.theirEmail })}
      submitLabel={t("account.linkSubmit", { provider })}
      fields={[password]}
      alternative={null}
    >
      <Link to="/forgot-password">{t("titles.forgotPassword")}</Link>
      <Link to="/signin" replace>
        {t("account.linkDecline")}
      </Link>
    </AccountForm>
  );
}

function BackToSignIn() {
  const { t } = useTranslation();
  return (
    <Link to="/signin" replace className={buttonClass("primary")}>
      {t("account.backToSignIn")}
    </Link>
  );
}
