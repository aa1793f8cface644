import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectImportError, selectImportFile, selectIsImporting } from "#machines/models/import.ts";
import { bytes, percent } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { DropZone } from "#src/ui/drop-zone.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { exportList, type Import } from "./actor.ts";
import { Group } from "./group.tsx";
import styles from "./models.module.css";
import { wordsOf } from "./words.ts";

/** For servers without internet: imports a model from a file, and exports the list as one. */
export function Files({ own }: { own: Import }) {
  const { t } = wordsOf(useTranslation("models"));
  const isImporting = useSelector(own.actor, selectIsImporting);
  const choose = ([file]: File[]) => {
    if (file !== undefined) own.choose(file);
  };
  return (
    <Group id="files" title={t("file.title")} lead={t("file.lead")}>
      <DropZone label={t("file.drop")} className={styles.drop} onFiles={choose}>
        {isImporting ? (
          <Sending own={own} />
        ) : (
          <FileButton label={t("file.choose")} accept=".bz2,.tar,.gz,.tgz" onFiles={choose} />
        )}
        <p className="note">{t("file.hint")}</p>
      </DropZone>
      <Failed own={own} />
      <div className={`row gap-3 ${styles.export}`}>
        <Button icon="download" onClick={() => void exportList()}>
          {t("file.export")}
        </Button>
        <p className="note">{t("file.exportHint")}</p>
      </div>
    </Group>
  );
}

function Sending({ own }: { own: Import }) {
  const { t, language } = wordsOf(useTranslation("models"));
  const file = useSelector(own.actor, selectImportFile);
  const sent = useSyncExternalStore(own.sent.subscribe, own.sent.get);
  if (file === null) return null;
  const { name, size } = file;
  const fraction = Math.min(1, sent / Math.max(1, size));
  const done = t("progress.bytes", { done: bytes(Math.min(sent, size), language), total: bytes(size, language) });
  return (
    <div className={`stack gap-2 ${styles.sending}`}>
      <p>{t("file.sending", { name })}</p>
      <Progress label={t("file.sending", { name })} fraction={fraction} text={`${percent(fraction, language)}, ${done}`} />
      <p className="note">{done}</p>
      <Button icon="close" onClick={() => own.actor.send({ type: "cancel.requested" })}>
        {t("action.cancel")}
      </Button>
    </div>
  );
}

function Failed({ own: { actor } }: { own: Import }) {
  const { t } = wordsOf(useTranslation("models"));
  const file = useSelector(actor, selectImportFile);
  const error = useSelector(actor, selectImportError);
  if (file === null || error === null) return null;
  return (
    <RetryNotice
      label={t("retry")}
      onRetry={() => actor.send({ type: "retry.requested" })}
      more={<Button onClick={() => actor.send({ type: "cancel.requested" })}>{t("action.dismiss")}</Button>}
    >
      <strong>{t("file.failed", { name: file.name })}</strong>
      <p>{error === "badRequest" ? t("file.noArchive") : t(`errors.${error}`)}</p>
    </RetryNotice>
  );
}
