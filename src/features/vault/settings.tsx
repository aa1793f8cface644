import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import type { OpenVault } from "./actor.ts";
import { PassphraseForm } from "./passphrase-fields.tsx";
import styles from "./vault.module.css";

/** Changing the passphrase and exporting the key, with explanations. */
export function Settings({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  return (
    <section className={styles.group} aria-labelledby="settings-heading">
      <h2 id="settings-heading">{t("settings.title")}</h2>
      <div>
        <details className={styles.more}>
          <summary>{t("settings.change")}</summary>
          <PassphraseForm vault={vault} asksPresent label={t("settings.changeSubmit")} onChoose={vault.choosePassphrase} />
        </details>
        <details className={styles.more}>
          <summary>{t("settings.elsewhere")}</summary>
          <p>{t("settings.elsewhereText")}</p>
          <p>
            <code className={styles.command}>age -d -i parlance-vault-key.age recording.age &gt; recording</code>
          </p>
          <Button icon="download" onClick={vault.saveKeyFile}>
            {t("settings.keyFile")}
          </Button>
          <p>{t("settings.afterwards")}</p>
        </details>
        <details className={styles.more}>
          <summary>{t("settings.seen")}</summary>
          <p>{t("settings.seenText")}</p>
        </details>
      </div>
    </section>
  );
}
