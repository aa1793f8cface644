import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import {
  selectEmailToConfirm,
  selectIsProfileMissing,
  selectIsUnreachable,
  selectReturnRefusal,
} from "#machines/session/federated-return.ts";
import { selectProvider } from "#machines/session/federated-sign-in.ts";
import type { FederatedReturn as Actor } from "#src/features/session/create-federated-return.ts";
import { openFederated } from "#src/features/session/federated-sign-in.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/page.tsx";
import styles from "./federated-return.module.css";

/** Where the provider's page leads back to: mostly seen for a moment only. */
export function FederatedReturn({ actor }: { actor: Actor }) {
  const { t } = useTranslation();
  // The spec names the provider that everybody has heard of; another one is called by its name.
  const provider = useSelector(openFederated(), selectProvider) ?? "Google";
  const refusal = useSelector(actor, selectReturnRefusal);
  const profileMissing = useSelector(actor, selectIsProfileMissing);
  const unreachable = useSelector(actor, selectIsUnreachable);
  const email = useSelector(actor, selectEmailToConfirm);
  if (refusal !== null) {
    const why = refusal === "providerFailed" ? t("account.failedHint") : t(`errors.${refusal}`, { provider });
    return <Told title={t("errors.providerFailed", { provider })} text={why} action={<BackToSignIn look="primary" />} />;
  }
  const retry = <Decision label={t("account.retry")} onClick={() => actor.send({ type: "retry.requested" })} />;
  if (unreachable) return <Told title={t("errors.providerFailed", { provider })} text={t("errors.network")} action={retry} />;
  if (profileMissing) {
    return <Told title={t("account.profileFailedAfter", { provider })} text={t("account.profileFailedHint")} action={retry} />;
  }
  if (email !== null) {
    const confirm = <Decision label={t("account.confirm")} onClick={() => actor.send({ type: "account.confirmed" })} />;
    return <Told title={t("account.confirmTitle")} text={t("account.confirmText", { email })} action={confirm} />;
  }
  return <LoadingScreen message={t("checking.authenticating")} />;
}

/** Read out: it comes in the place of the loading screen, without a navigation. */
function Told(screen: ComponentProps<typeof MessageScreen>) {
  return (
    <div role="alert">
      <MessageScreen {...screen} />
    </div>
  );
}

function Decision({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <div className={styles.decision}>
      <Button look="primary" onClick={onClick}>
        {label}
      </Button>
      <BackToSignIn look="secondary" />
    </div>
  );
}

function BackToSignIn({ look }: { look: "primary" | "secondary" }) {
  const { t } = useTranslation();
  return (
    <Link to="/signin" replace className={buttonClass(look)}>
      {t("account.backToSignIn")}
    </Link>
  );
}
