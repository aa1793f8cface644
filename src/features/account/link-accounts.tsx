import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectData, selectError, selectHasFailed } from "#machines/query.ts";
import { selectProvider } from "#machines/session/federated-sign-in.ts";
import { openFederated } from "#src/features/session/federated-sign-in.ts";
import { Button } from "#src/ui/button.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import { AccountForm } from "./account-form.tsx";
import { BackToSignIn } from "./federated-return.tsx";
import { passwordField } from "./fields.ts";
import { messageOf, unknownFailure } from "./forms.ts";
import type { Linking } from "./linking.ts";

/** Asks for the account's password before linking the account to the provider's account. */
export function LinkAccounts({ linking }: { linking: Linking }) {
  const { t } = useTranslation();
  const pending = useSelector(linking.pending, selectData);
  const known = useSelector(openFederated(), selectProvider);
  const provider = pending?.provider ?? known ?? "Google";
  const failed = useSelector(linking.pending, selectHasFailed);
  const error = useSelector(linking.pending, selectError);
  if (failed) {
    const failure = messageOf(error, unknownFailure);
    const isGone = "key" in failure && failure.key === "errors.gone";
    const retry = () => linking.pending.send({ type: "retry.requested" });
    return (
      <div role="alert">
        <MessageScreen
          title={t("errors.providerFailed", { provider })}
          text={isGone ? t("account.linkGone") : "key" in failure ? t(failure.key, { ...failure.values }) : failure.text}
          action={isGone ? <BackToSignIn look="primary" /> : <Button onClick={retry}>{t("account.retry")}</Button>}
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
      fields={[passwordField]}
      alternative={null}
    >
      <Link to="/forgot-password">{t("titles.forgotPassword")}</Link>
      <Link to="/signin" replace>
        {t("account.linkDecline")}
      </Link>
    </AccountForm>
  );
}
