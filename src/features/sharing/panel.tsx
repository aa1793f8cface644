import { useSelector } from "@xstate/react";
import { useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";
import {
  selectAsked,
  selectCreated,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
  selectIsWriting,
  selectLoadError,
} from "#machines/sharing/machine.ts";
import { PeopleSection } from "#src/features/people/people.tsx";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { openSharing, type Sharing } from "./actor.ts";
import { type Has, LinkForm } from "./link-form.tsx";
import { Links } from "./links.tsx";
import { NewAddress } from "./new-address.tsx";
import styles from "./sharing.module.css";

interface SharingPanelProps {
  /** Of the transcription. */
  id: string;
  /** What there is to be shared, besides the text. */
  has: Has;
  /** Calls it when the transcript's page is left. */
  onLeave(left: () => void): void;
  onClose(): void;
}

const newLink = "new";

/** What has opened a form gets the focus back when it is there again. */
function useReturn() {
  const opened = useRef<string>(undefined);
  const begin = useCallback((name: string) => {
    opened.current = name;
  }, []);
  const opener = useCallback(
    (name: string) => (button: HTMLElement | null) => {
      if (button === null || opened.current !== name) return;
      opened.current = undefined;
      button.focus({ preventScroll: true });
    },
    [],
  );
  return { begin, opener };
}

/** The links to a transcript: made, listed with their views, changed, revoked. */
export function SharingPanel({ id, has, onLeave, onClose }: SharingPanelProps) {
  const { t } = useTranslation("sharing");
  const sharing = openSharing(id, onLeave);
  const loading = useSelector(sharing, selectIsLoading);
  const unavailable = useSelector(sharing, selectIsUnavailable);
  const failed = useSelector(sharing, selectLoadError) !== null;
  const isOpen = useSelector(sharing, selectIsOpen);
  return (
    <Panel className={styles.panel} title={t("title")} closeLabel={t("close")} onClose={onClose}>
      <p className={entries.fine}>{t("text")}</p>
      {loading ? <p role="status">{t("loading")}</p> : null}
      {unavailable ? <Notice>{t("unavailable")}</Notice> : null}
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => sharing.send({ type: "reload.requested" })}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {isOpen ? <Content sharing={sharing} has={has} /> : null}
      {isOpen ? <PeopleSection id={id} onLeave={onLeave} /> : null}
      <Sure sharing={sharing} />
    </Panel>
  );
}

/** The form alone while it is open, or the new address; else the links. */
function Content({ sharing, has }: { sharing: Sharing; has: Has }) {
  const { t } = useTranslation("sharing");
  const writing = useSelector(sharing, selectIsWriting);
  const created = useSelector(sharing, selectCreated);
  const { begin, opener } = useReturn();
  if (writing) return <LinkForm sharing={sharing} has={has} />;
  if (created !== null) return <NewAddress sharing={sharing} created={created} />;
  return (
    <>
      <Links
        sharing={sharing}
        opener={opener}
        onEdit={(id) => {
          begin(id);
          sharing.send({ type: "editing.requested", id });
        }}
      />
      <div className={entries.actions}>
        <Button
          ref={opener(newLink)}
          icon="plus"
          onClick={() => {
            begin(newLink);
            sharing.send({ type: "new.requested" });
          }}
        >
          {t("new")}
        </Button>
      </div>
    </>
  );
}

/** Asks before a link that people may have stops working. */
function Sure({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation("sharing");
  const asked = useSelector(sharing, selectAsked);
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={t("sure.title")}
      text={t("sure.text")}
      confirmLabel={t("sure.yes")}
      cancelLabel={t("sure.no")}
      onConfirm={() => sharing.send({ type: "revocation.confirmed" })}
      onCancel={() => sharing.send({ type: "revocation.dismissed" })}
    />
  );
}
