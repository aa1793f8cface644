import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOpen, selectItems, selectTotalSize } from "#machines/vault/selectors.ts";
import { bytes } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { DropZone } from "#src/ui/drop-zone.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Page } from "#src/ui/page.tsx";
import type { OpenVault } from "./actor.ts";
import { Closed, useCanAdd } from "./closed.tsx";
import { Gate } from "./gate.tsx";
import { ItemRow } from "./item-row.tsx";
import { PassphraseForm } from "./passphrase-fields.tsx";
import { Recorder } from "./recorder.tsx";
import { Search } from "./search.tsx";
import { Transfers } from "./transfer-list.tsx";
import styles from "./vault.module.css";

/** The vault with all encrypted recordings. */
export function VaultPage({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  const canAdd = useCanAdd();
  return (
    <Page title={t("titles.encryptedAudio")} lead={t("lead")} actions={<Lock vault={vault} />}>
      <Gate vault={vault}>
        {canAdd ? (
          <div className={`columns gap-5 ${styles.two}`}>
            <Recorder recorder={vault.recorder} />
            <Files onFiles={vault.addFiles} />
          </div>
        ) : (
          <Closed />
        )}
        <Transfers transfers={vault.transfers} />
        <Search vault={vault} />
        <List vault={vault} />
        <Settings vault={vault} />
      </Gate>
    </Page>
  );
}

export function Lock({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  const isOpen = useSelector(vault.actor, selectIsOpen);
  return isOpen ? (
    <Button icon="shield" onClick={() => vault.actor.send({ type: "lock.requested" })}>
      {t("lock")}
    </Button>
  ) : null;
}

function List({ vault }: { vault: OpenVault }) {
  const { t, i18n } = useTranslation("vault");
  const items = useSelector(vault.actor, selectItems);
  const size = useSelector(vault.actor, selectTotalSize);
  const names = useSyncExternalStore(vault.names.subscribe, vault.names.get);
  return (
    <section className={`stack compact gap-4 ${styles.group}`} aria-labelledby="list-heading">
      <header className="row apart baseline">
        <h2 id="list-heading" ref={claimFocus} tabIndex={-1}>
          {t("list.title")}
        </h2>
        {items.length > 0 ? (
          <p className="fine digits">{t("list.count", { count: items.length, size: bytes(size, i18n.language) })}</p>
        ) : null}
      </header>
      {items.length === 0 ? (
        <p className={styles.empty}>{t("list.empty")}</p>
      ) : (
        <ul className="stack">
          {items.map((item) => (
            <ItemRow key={item.id} vault={vault} item={item} meta={names.get(item.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

const accept = "audio/*,video/*,.wav,.mp3,.m4a,.ogg,.oga,.opus,.webm,.flac,.mp4";

function Files({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useTranslation("vault");
  return (
    <DropZone label={t("files.title")} className={styles.drop} onFiles={onFiles}>
      <strong>{t("files.title")}</strong>
      <p className="fine digits">{t("files.text")}</p>
      <FileButton label={t("files.choose")} accept={accept} multiple onFiles={onFiles} />
    </DropZone>
  );
}

function Settings({ vault }: { vault: OpenVault }) {
  const { t } = useTranslation("vault");
  return (
    <section className={`stack compact gap-4 ${styles.group}`} aria-labelledby="settings-heading">
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
