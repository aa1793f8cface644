import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { selectFailure, selectScreen } from "#machines/vault/selectors.ts";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import type { OpenVault } from "./actor.ts";
import { PassphraseForm } from "./passphrase-fields.tsx";
import { problemKey } from "./problem.ts";
import { RecoveryKey } from "./recovery-key.tsx";
import { Unlock } from "./unlock.tsx";
import styles from "./vault.module.css";

/** Renders its children while the vault is unlocked; otherwise the steps to unlock it. */
export function Gate({ vault, children }: { vault: OpenVault; children: ReactNode }) {
  const { t } = useTranslation("vault");
  const screen = useSelector(vault.actor, selectScreen);
  const failure = useSelector(vault.actor, selectFailure);
  if (screen === "checking") return <LoadingScreen message={t("loading")} />;
  if (screen === "failed" && failure === "notOffered") return <Notice>{t("app:notOffered.vaultText")}</Notice>;
  if (screen === "failed") {
    const retry = () => vault.actor.send({ type: "reload.requested" });
    return (
      <RetryNotice label={t("again")} onRetry={retry}>
        {t(problemKey(failure ?? "internal"))}
      </RetryNotice>
    );
  }
  if (screen === "none") return <Create vault={vault} />;
  if (screen === "recoveryKey") return <RecoveryKey vault={vault} />;
  if (screen === "locked") return <Unlock vault={vault} />;
  return screen === "renewing" ? <Renew vault={vault} /> : children;
}

/** Asks for a new passphrase after the vault was unlocked with the recovery key. */
function Renew({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  return (
    <section className={`card pad-wide stack compact gap-4 ${styles.panel}`} aria-labelledby="renew-heading">
      <h2 id="renew-heading" ref={claimFocus} tabIndex={-1}>
        {t("renew.title")}
      </h2>
      <p>{t("renew.text")}</p>
      <PassphraseForm vault={vault} label={t("renew.submit")} onChoose={vault.choosePassphrase} />
    </section>
  );
}

function Create({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  return (
    <div className={`columns gap-5 ${styles.two}`}>
      <section className={`card pad-wide stack compact gap-4 ${styles.panel}`} aria-labelledby="create-heading">
        <h2 id="create-heading">{t("create.title")}</h2>
        <p>{t("create.text")}</p>
        <PassphraseForm vault={vault} label={t("create.submit")} onChoose={vault.create} />
      </section>
      <ul className={`stack compact gap-5 ${styles.facts}`}>
        {(["yours", "lost", "server", "standard"] as const).map((fact) => (
          <li key={fact}>
            <Icon name={fact === "lost" ? "warning" : "shield"} />
            <div>
              <strong>{t(`create.facts.${fact}.title`)}</strong>
              <p>{t(`create.facts.${fact}.text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
