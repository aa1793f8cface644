import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import {
  selectIsInWindow,
  selectLeavingTo,
  selectProvider,
  selectProviders,
  selectRefusal,
} from "#machines/session/federated-sign-in.ts";
import { openFederated } from "#src/features/session/federated-sign-in.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./federated-sign-in.module.css";

/** One sign-in button for each configured provider. Renders nothing if the server has none. */
export function FederatedSignIn() {
  const { t } = useTranslation();
  const providers = useSelector(openFederated(), selectProviders);
  const provider = useSelector(openFederated(), selectProvider);
  const inWindow = useSelector(openFederated(), selectIsInWindow);
  const leavingTo = useSelector(openFederated(), selectLeavingTo);
  const refusal = useSelector(openFederated(), selectRefusal);
  if (providers.length === 0) return null;
  const signIn = (id: string) => openFederated().send({ type: "signIn.requested", path: currentPath(), provider: id });
  return (
    <div className="stack gap-4">
      <p className={styles.or}>{t("account.or")}</p>
      {refusal ? <Notice tone="danger">{t(`errors.${refusal}`, { provider })}</Notice> : null}
      {providers.map(({ id, name }) => (
        <Button key={id} busy={leavingTo === id} onClick={() => signIn(id)}>
          {t("account.continueWith", { provider: name })}
        </Button>
      ))}
      <p className="roomless note centre" role="status">
        {inWindow ? t("account.goOnInWindow") : ""}
      </p>
    </div>
  );
}

const currentPath = () => location.pathname + location.search + location.hash;
