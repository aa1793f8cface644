import { useTranslation } from "react-i18next";
import { Icon } from "#src/ui/icon.tsx";
import type { OpenVault } from "./actor.ts";
import { PassphraseForm } from "./passphrase-fields.tsx";
import styles from "./vault.module.css";

/** Explains the vault, and creates one with a passphrase. */
export function Create({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  return (
    <div className={styles.two}>
      <section className={styles.panel} aria-labelledby="create-heading">
        <h2 id="create-heading">{t("create.title")}</h2>
        <p>{t("create.text")}</p>
        <PassphraseForm vault={vault} label={t("create.submit")} onChoose={vault.create} />
      </section>
      <ul className={styles.facts}>
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
