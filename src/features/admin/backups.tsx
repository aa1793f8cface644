import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { AdminBackups, Backup, RunningBackup } from "#contract/index.ts";
import {
  selectBackupIsBeginning,
  selectBackups,
  selectBackupsAreLoading,
  selectBackupsFailure,
  selectBackupsStaleness,
} from "#machines/admin/backups.ts";
import { bytes, dateTime, number } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Progress } from "#src/ui/progress.tsx";
import styles from "./admin.module.css";
import own from "./backups.module.css";
import { type Backups, closeBackups, openBackups } from "./backups-actor.ts";
import { Failure } from "./failure.tsx";
import { ListTable } from "./list-table.tsx";
import overview from "./overview.module.css";
import { type AdminSection, claimSectionFocus } from "./section.ts";
import table from "./table.module.css";

export const backups: AdminSection = {
  enter: () => <BackupsSection actor={openBackups()} />,
  leave: closeBackups,
};

/** Lists the backups and starts a new one. A backup is restored on the command line while the server is stopped. */
function BackupsSection({ actor }: { actor: Backups }) {
  const { t } = useTranslation("admin");
  const seen = useSelector(actor, selectBackups);
  const failure = useSelector(actor, selectBackupsFailure);
  const staleness = useSelector(actor, selectBackupsStaleness);
  return (
    <section className={`stack gap-5 ${styles.section}`} aria-labelledby="backups">
      <Heading actor={actor} />
      <p className={styles.count}>{t("backups.lead")}</p>
      {seen === null && failure !== null ? (
        <Failure error={failure} text={t("backups.failed")} onRetry={() => actor.send({ type: "refresh.requested" })} />
      ) : null}
      {seen === null ? null : (
        <>
          {staleness === null ? null : (
            <Failure error={staleness} text={t("backups.stale")} onRetry={() => actor.send({ type: "refresh.requested" })} />
          )}
          {failure === null ? null : (
            <Notice tone="danger">
              <strong>{t("backups.notBegun")}</strong>
              <p>{t(failure === "conflict" ? "backups.conflict" : `errors.${failure}`)}</p>
            </Notice>
          )}
          <LastFailure failure={seen.failure} />
          <UnderWay running={seen.running} />
          <Plan seen={seen} />
          {seen.backups.length === 0 ? <p>{t("backups.none")}</p> : <Table seen={seen} />}
          <div className={`stack gap-1 size-1 ${own.plan}`}>
            <h3 className="size-3">{t("backups.restoring")}</h3>
            <p>{t("backups.restoringText")}</p>
            <p>{t("backups.restoringUndo")}</p>
          </div>
        </>
      )}
    </section>
  );
}

function Heading({ actor }: { actor: Backups }) {
  const { t } = useTranslation("admin");
  const seen = useSelector(actor, selectBackups);
  const loading = useSelector(actor, selectBackupsAreLoading);
  const beginning = useSelector(actor, selectBackupIsBeginning);
  return (
    <div className={`row apart baseline ${overview.heading}`}>
      <h2 id="backups" tabIndex={-1} ref={claimSectionFocus}>
        {t("sections.backups")}
      </h2>
      {seen === null ? (
        <p className={styles.count} role="status">
          {loading ? t("loading") : ""}
        </p>
      ) : (
        <Button look="primary" busy={beginning || seen.running !== null} onClick={() => actor.send({ type: "backup.requested" })}>
          {t("backups.now")}
        </Button>
      )}
    </div>
  );
}

function LastFailure({ failure }: { failure: AdminBackups["failure"] }) {
  const { t, i18n } = useTranslation("admin");
  if (failure === null) return null;
  return (
    <Notice tone="danger">
      <strong>{t("backups.lastFailed", { date: dateTime(failure.at, i18n.language) })}</strong>
      {/* The message of the program or the system, which is in English. */}
      <p lang="en" dir="ltr" className="size-1 anywhere">
        {failure.message}
      </p>
    </Notice>
  );
}

/** Progress of the running backup. The total is not known in advance. */
function UnderWay({ running }: { running: RunningBackup | null }) {
  const { t, i18n } = useTranslation("admin");
  const done =
    running === null
      ? ""
      : running.phase === "database"
        ? number(running.done, i18n.language)
        : bytes(running.done, i18n.language);
  return (
    <div role="status" className="stack roomless gap-2">
      {running === null ? null : (
        <>
          <p>{t(`backups.phases.${running.phase}`)}</p>
          <Progress label={t("backups.making")} />
          {/* Changes every second: not announced to screen readers. */}
          <p className={table.soft} aria-hidden>
            {t(running.phase === "database" ? "backups.rows" : "backups.bytes", { done })}
          </p>
        </>
      )}
    </div>
  );
}

/** The schedule, the number of kept backups, their place, and what the bucket retains by itself. */
function Plan({ seen: { nextAt, keep, folder, isEncrypted, files } }: { seen: AdminBackups }) {
  const { t, i18n } = useTranslation("admin");
  const when = nextAt === null ? t("backups.never") : t("backups.next", { date: dateTime(nextAt, i18n.language) });
  return (
    <div className={`stack gap-1 size-1 ${own.plan}`}>
      <p>{`${when} ${t("backups.kept", { keep: number(keep, i18n.language) })}`}</p>
      <p>
        {t("backups.folder")} <code dir="ltr">{folder}</code>
      </p>
      <p>{t(isEncrypted ? "backups.encrypted" : "backups.open")}</p>
      {files === "folder" ? null : <p>{t(`backups.files.${files}`)}</p>}
    </div>
  );
}

function Table({ seen: { backups: rows, folder: ownFolder } }: { seen: AdminBackups }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <ListTable
      caption={t("sections.backups")}
      rows={rows}
      keyOf={({ host, folder, name }) => `${host}${folder}${name}`}
      columns={[
        {
          name: t("backups.when"),
          cell: ({ createdAt, name }) => (
            <>
              <time dateTime={createdAt}>{dateTime(createdAt, i18n.language)}</time>
              <p className={table.soft} dir="ltr">
                {name}
              </p>
            </>
          ),
        },
        { name: t("backups.size"), look: "number", cell: ({ size }) => bytes(size, i18n.language) },
        { name: t("backups.checked"), cell: (backup) => <Checked backup={backup} /> },
        {
          name: t("backups.where"),
          cell: ({ host, folder }) => <span dir="ltr">{folder === ownFolder ? host : `${host}: ${folder}`}</span>,
        },
        {
          name: t("backups.command"),
          cell: ({ command }) => (
            <code dir="ltr" className={own.command}>
              {command}
            </code>
          ),
        },
      ]}
    />
  );
}

function Checked({ backup: { checkedAt, isEncrypted } }: { backup: Backup }) {
  const { t } = useTranslation("admin");
  return (
    <>
      <Badge tone={checkedAt === null ? undefined : "good"}>
        {t(checkedAt === null ? "backups.unchecked" : "backups.isChecked")}
      </Badge>
      {isEncrypted ? <p className={table.soft}>{t("backups.isEncrypted")}</p> : null}
    </>
  );
}
