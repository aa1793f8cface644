import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsInWindow, selectIsLeaving, selectProvider, selectRefusal } from "#machines/session/federated-sign-in.ts";
import { openFederated } from "#src/features/session/federated-sign-in.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./federated-sign-in.module.css";

/** Sign-in with the provider that the server is configured for; renders nothing when there is none. */
export function FederatedSignIn() {
  const { t } = useTranslation();
  const provider = useSelector(openFederated(), selectProvider);
  const inWindow = useSelector(openFederated(), selectIsInWindow);
  const leaving = useSelector(openFederated(), selectIsLeaving);
  const refusal = useSelector(openFederated(), selectRefusal);
  if (provider === null) return null;
  return (
    <div className={styles.federated}>
      <p className={styles.or}>{t("account.or")}</p>
      {refusal ? <Notice tone="danger">{t(`errors.${refusal}`, { provider })}</Notice> : null}
      <Button busy={leaving} onClick={() => openFederated().send({ type: "signIn.requested", path: currentPath() })}>
        {t("account.continueWith", { provider })}
      </Button>
      <p className={styles.hint} role="status">
        {inWindow ? t("account.goOnInWindow") : ""}
      </p>
    </div>
  );
}

const currentPath = () => location.pathname + location.search + location.hash;
