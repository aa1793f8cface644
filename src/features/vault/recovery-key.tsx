import { useSelector } from "@xstate/react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectCopied } from "#machines/collection/shown-once.ts";
import { selectFailure, selectIsBusy } from "#machines/vault/selectors.ts";
import { downloadFile } from "#src/browser/download.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import type { OpenVault } from "./actor.ts";
import { problemKey } from "./problem.ts";
import styles from "./vault.module.css";

/** The recovery key for a forgotten passphrase. Shown only once. */
export function RecoveryKey({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  const key = useSyncExternalStore(vault.recoveryKey.subscribe, vault.recoveryKey.get) ?? "";
  const busy = useSelector(vault.actor, selectIsBusy);
  const failure = useSelector(vault.actor, selectFailure);
  const [kept, setKept] = useState(false);
  const copied = useSelector(vault.actor, selectCopied);
  const save = () =>
    downloadFile(new Blob([`${t("recovery.file")}\n\n${key}\n`], { type: "text/plain" }), "parlance-recovery-key.txt");
  return (
    <section className={`card pad-wide stack compact gap-4 ${styles.panel}`} aria-labelledby="recovery-heading">
      <h2 id="recovery-heading" ref={claimFocus} tabIndex={-1}>
        {t("recovery.title")}
      </h2>
      <p>{t("recovery.text")}</p>
      <p className={styles.keySheet}>
        <code className={styles.key} data-testid="recovery-key">
          {key}
        </code>
      </p>
      <div className="row">
        <Button icon={copied === "copied" ? "check" : "copy"} onClick={() => vault.actor.send({ type: "copy.requested" })}>
          {t("recovery.copy")}
        </Button>
        <Button icon="download" onClick={save}>
          {t("recovery.download")}
        </Button>
        <Button onClick={() => print()}>{t("recovery.print")}</Button>
        <span className="fine digits" role="status">
          {copied === null ? "" : t(`recovery.${copied}`)}
        </span>
      </div>
      {failure === null ? null : <Notice tone="danger">{t(problemKey(failure))}</Notice>}
      <form
        className={`stack compact gap-4 ${styles.form}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (kept && !busy) vault.actor.send({ type: "recoveryKey.confirmed" });
        }}
      >
        <label className="check gap-3">
          <input type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} />
          {t("recovery.kept")}
        </label>
        <div className="row">
          <Button type="submit" look="primary" busy={busy} disabled={!kept}>
            {t("recovery.continue")}
          </Button>
          <Button look="quiet" disabled={busy} onClick={() => vault.actor.send({ type: "cancel.requested" })}>
            {t("recovery.cancel")}
          </Button>
        </div>
      </form>
    </section>
  );
}
