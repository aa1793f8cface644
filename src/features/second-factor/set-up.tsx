import { useSelector } from "@xstate/react";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { SecondFactorSecret } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { selectIsBusy } from "#machines/second-factor/machine.ts";
import { PresentPassword } from "#src/features/collection/present-password.tsx";
import entries from "#src/ui/entries.module.css";
import { EntryForm } from "#src/ui/entry-form.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { SecondFactorActor } from "./actor.ts";
import { CodeField } from "./code-field.tsx";
import styles from "./second-factor.module.css";

const QrCode = lazy(() => import("./qr-code.tsx"));

interface SetUpProps {
  factor: SecondFactorActor;
}

const typedIn = (form: HTMLFormElement, name: string) => String(new FormData(form).get(name) ?? "");

const ofThePassword = ["wrongPassword", "freshSignInRequired", "tooManyRequests", "network"];

/** The first step: asks for the password. */
export function Proving({ factor, confirmation }: SetUpProps & { confirmation: ReactNode }) {
  const { t } = useTranslation("second-factor");
  const busy = useSelector(factor, selectIsBusy);
  const failure = useSelector(factor, selectFailure);
  return (
    <EntryForm
      title={t("setUp.title")}
      submitLabel={t("setUp.next")}
      cancelLabel={t("cancel")}
      busy={busy}
      onSubmit={(form) => factor.send({ type: "password.submitted", password: typedIn(form, "password") })}
      onDismiss={() => factor.send({ type: "form.dismissed" })}
    >
      <PresentPassword confirmation={confirmation} />
      {failure === null ? null : (
        <Notice tone="danger">{t(`failure.${ofThePassword.includes(failure) ? failure : "other"}`)}</Notice>
      )}
    </EntryForm>
  );
}

/** The second step: shows the secret and asks for the first code. */
export function Scanning({ factor, offer }: SetUpProps & { offer: SecondFactorSecret }) {
  const { t } = useTranslation("second-factor");
  const busy = useSelector(factor, selectIsBusy);
  const failure = useSelector(factor, selectFailure);
  return (
    <EntryForm
      title={t("setUp.scan")}
      submitLabel={t("setUp.confirm")}
      cancelLabel={t("cancel")}
      busy={busy}
      onSubmit={(form) => factor.send({ type: "code.submitted", proof: typedIn(form, "code") })}
      onDismiss={() => factor.send({ type: "form.dismissed" })}
    >
      <p>{t("setUp.scanText")}</p>
      <Suspense fallback={<div className={styles.qr} />}>
        <QrCode text={offer.uri} label={t("setUp.qr")} />
      </Suspense>
      <p>{t("setUp.byHand")}</p>
      <code className={entries.value} data-testid="secret">
        {offer.secret.replace(/(.{4})(?=.)/g, "$1 ")}
      </code>
      <CodeField kind="app" failure={failure} />
    </EntryForm>
  );
}
