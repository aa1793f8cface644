import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectFailure, selectIsBusy } from "#machines/vault/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import type { OpenVault } from "./actor.ts";
import { PassphraseForm } from "./passphrase-fields.tsx";
import { problemKey } from "./problem.ts";
import styles from "./vault.module.css";

/** Changing the passphrase and exporting the key, with explanations. */
export function Settings({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  const busy = useSelector(vault.actor, selectIsBusy);
  const failure = useSelector(vault.actor, selectFailure);
  return (
    <section className={styles.group} aria-labelledby="settings-heading">
      <h2 id="settings-heading">{t("settings.title")}</h2>
      <div>
        <details className={styles.more}>
          <summary>{t("settings.change")}</summary>
          <PassphraseForm
            asksPresent
            label={t("settings.changeSubmit")}
            busy={busy}
            problem={failure === null ? undefined : t(problemKey(failure))}
            onChoose={(next, present) => vault.choosePassphrase(next, present)}
          />
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
