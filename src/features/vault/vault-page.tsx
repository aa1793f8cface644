import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOpen, selectItems, selectTotalSize } from "#machines/vault/selectors.ts";
import { bytes } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Page } from "#src/ui/page.tsx";
import type { OpenVault } from "./actor.ts";
import { Closed, useCanAdd } from "./closed.tsx";
import { Files } from "./files.tsx";
import { Gate } from "./gate.tsx";
import { ItemRow } from "./item-row.tsx";
import { Recorder } from "./recorder.tsx";
import { Settings } from "./settings.tsx";
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
          <div className={styles.two}>
            <Recorder recorder={vault.recorder} />
            <Files onFiles={vault.addFiles} />
          </div>
        ) : (
          <Closed />
        )}
        <Transfers transfers={vault.transfers} />
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
    <section className={styles.group} aria-labelledby="list-heading">
      <header className={styles.head}>
        <h2 id="list-heading" ref={claimFocus} tabIndex={-1}>
          {t("list.title")}
        </h2>
        {items.length > 0 ? (
          <p className={styles.fine}>{t("list.count", { count: items.length, size: bytes(size, i18n.language) })}</p>
        ) : null}
      </header>
      {items.length === 0 ? (
        <p className={styles.empty}>{t("list.empty")}</p>
      ) : (
        <ul className={styles.list}>
          {items.map((item) => (
            <ItemRow key={item.id} vault={vault} item={item} meta={names.get(item.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}
