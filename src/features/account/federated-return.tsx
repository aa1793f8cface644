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
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";

/** The OAuth callback page. Usually visible only for a moment. */
export function FederatedReturn({ actor }: { actor: Actor }) {
  const { t } = useTranslation();
  // SPEC.md names Google. Another provider is shown by its own name.
  const provider = useSelector(openFederated(), selectProvider) ?? "Google";
  const refusal = useSelector(actor, selectReturnRefusal);
  const profileMissing = useSelector(actor, selectIsProfileMissing);
  const unreachable = useSelector(actor, selectIsUnreachable);
  const email = useSelector(actor, selectEmailToConfirm);
  if (refusal !== null) {
    const why = refusal === "providerFailed" ? t("account.failedHint") : t(`errors.${refusal}`, { provider });
    return <OutcomeScreen title={t("errors.providerFailed", { provider })} text={why} action={<BackToSignIn look="primary" />} />;
  }
  const retry = <Decision label={t("account.retry")} onClick={() => actor.send({ type: "retry.requested" })} />;
  if (unreachable)
    return <OutcomeScreen title={t("errors.providerFailed", { provider })} text={t("errors.network")} action={retry} />;
  if (profileMissing) {
    return (
      <OutcomeScreen title={t("account.profileFailedAfter", { provider })} text={t("account.profileFailedHint")} action={retry} />
    );
  }
  if (email !== null) {
    const confirm = <Decision label={t("account.confirm")} onClick={() => actor.send({ type: "account.confirmed" })} />;
    return <OutcomeScreen title={t("account.confirmTitle")} text={t("account.confirmText", { email })} action={confirm} />;
  }
  return <LoadingScreen message={t("checking.authenticating")} />;
}

/** A live region, because it replaces the loading screen without a navigation. */
function OutcomeScreen(screen: ComponentProps<typeof MessageScreen>) {
  return (
    <div role="alert">
      <MessageScreen {...screen} />
    </div>
  );
}

function Decision({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <div className="row centred gap-3">
      <Button look="primary" onClick={onClick}>
        {label}
      </Button>
      <BackToSignIn look="secondary" />
    </div>
  );
}

/** The link back to sign-in, shown when the sign-in failed. */
export function BackToSignIn({ look }: { look: "primary" | "secondary" }) {
  const { t } = useTranslation();
  return (
    <Link to="/signin" replace className={buttonClass(look)}>
      {t("account.backToSignIn")}
    </Link>
  );
}
