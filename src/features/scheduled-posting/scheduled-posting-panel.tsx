import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { ScheduledRun, ScheduledStatus } from "#contract/index.ts";
import {
  selectBegunRun,
  selectIsSkipping,
  selectIsTriggering,
  selectIsWriting,
  selectSchedule,
  selectScheduleFailure,
  selectScheduleIsLoading,
  selectScheduleIsUnavailable,
  selectStaleness,
} from "#machines/scheduled-posting/machine.ts";
import { dateTime, number, relativeTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { FactList } from "#src/ui/fact-list.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { openSchedule } from "./actor.ts";
import styles from "./scheduled-posting.module.css";

/** Scheduled posting: its state, recent runs, and actions. Needs a previous call of `enterSchedule`. */
export function SchedulePanel() {
  const { t } = useTranslation("scheduled-posting");
  const schedule = openSchedule();
  const unavailable = useSelector(schedule, selectScheduleIsUnavailable);
  const loading = useSelector(schedule, selectScheduleIsLoading);
  const seen = useSelector(schedule, selectSchedule);
  return (
    <section className="card pad-roomy stack gap-4" aria-labelledby="schedule" aria-busy={loading}>
      <h2 id="schedule">{t("title")}</h2>
      {loading && seen === null ? <p role="status">{t("loading")}</p> : null}
      {unavailable ? <Notice actions={<Retry />}>{t("notImplemented")}</Notice> : null}
      <Failures />
      {seen === null ? null : (
        <>
          {seen.status.enabled ? null : <Notice announce={false}>{t("off")}</Notice>}
          {seen.status.canWrite ? null : <Notice announce={false}>{t("noModel")}</Notice>}
          <Facts status={seen.status} at={seen.at} />
          <Controls />
          <History runs={seen.status.history} />
        </>
      )}
    </section>
  );
}

function Retry() {
  const { t } = useTranslation("scheduled-posting");
  return (
    <Button icon="retry" onClick={() => openSchedule().send({ type: "status.requested" })}>
      {t("retry")}
    </Button>
  );
}

function Failures() {
  const { t } = useTranslation("scheduled-posting");
  const schedule = openSchedule();
  const failure = useSelector(schedule, selectScheduleFailure);
  const staleness = useSelector(schedule, selectStaleness);
  const nothing = useSelector(schedule, selectSchedule) === null;
  return (
    <>
      {failure === null ? null : (
        <Notice tone="danger" {...(nothing && { actions: <Retry /> })}>
          {t(failure)}
        </Notice>
      )}
      {staleness === null ? null : (
        <Notice tone="danger" actions={<Retry />}>
          {t(staleness)}
        </Notice>
      )}
    </>
  );
}

function Controls() {
  const { t } = useTranslation("scheduled-posting");
  const schedule = openSchedule();
  const triggering = useSelector(schedule, selectIsTriggering);
  const writing = useSelector(schedule, selectIsWriting);
  const skipping = useSelector(schedule, selectIsSkipping);
  const enabled = useSelector(schedule, (snapshot) => selectSchedule(snapshot)?.status.enabled === true);
  const skips = useSelector(schedule, (snapshot) => selectSchedule(snapshot)?.status.skipsNext === true);
  return (
    <>
      <div className="row">
        <Button icon="edit" busy={triggering || writing} onClick={() => schedule.send({ type: "trigger.requested" })}>
          {t("trigger")}
        </Button>
        {enabled ? (
          <Button look="quiet" busy={skipping} onClick={() => schedule.send({ type: "skip.requested", skip: !skips })}>
            {t(skips ? "unskip" : "skip")}
          </Button>
        ) : null}
      </div>
      <div role="status" className="stack roomless">
        {triggering || writing ? <p>{t("writing")}</p> : <Begun />}
      </div>
    </>
  );
}

interface FactsProps {
  status: ScheduledStatus;
  /** Time of the server's answer, epoch ms. */
  at: number;
}

function Facts({ status, at }: FactsProps) {
  const { t, i18n } = useTranslation("scheduled-posting");
  const shown = (value: number) => number(value, i18n.language);
  const next = (
    <>
      <When iso={status.nextRunTime} at={at} otherwise={t("never")} />
      {status.skipsNext ? <small>{skipsText(status)}</small> : null}
    </>
  );
  const last = (
    <>
      <When iso={status.lastRunTime} at={at} otherwise={t("notYet")} />
      {status.errorMessage ? (
        <small lang="en" className={styles.failed}>
          {status.errorMessage}
        </small>
      ) : null}
    </>
  );
  return (
    <FactList
      className={`columns ${styles.facts}`}
      facts={[
        { name: t("next"), value: next },
        { name: t("last"), value: last },
        { name: t("posted"), value: shown(status.postsGenerated) },
        { name: t("skipped"), value: shown(status.postsSkipped) },
      ]}
    />
  );

  function skipsText({ followingRunTime }: ScheduledStatus): string {
    return followingRunTime === null ? t("skips") : t("skipsUntil", { time: dateTime(followingRunTime, i18n.language) });
  }
}

function When({ iso, at, otherwise }: { iso: string | null; at: number; otherwise: string }) {
  const { i18n } = useTranslation("scheduled-posting");
  if (iso === null) return otherwise;
  return (
    <time dateTime={iso}>
      {relativeTime(iso, at, i18n.language)}
      <span>{dateTime(iso, i18n.language)}</span>
    </time>
  );
}

/** The outcome of the run that the user started here. */
function Begun() {
  const run = useSelector(openSchedule(), selectBegunRun);
  return run === null ? null : (
    <p>
      <Outcome run={run} />
    </p>
  );
}

function History({ runs }: { runs: readonly ScheduledRun[] }) {
  const { t, i18n } = useTranslation("scheduled-posting");
  return (
    <details className={styles.history}>
      <summary>{t("history")}</summary>
      {runs.length === 0 ? <p>{t("noRuns")}</p> : null}
      <ol>
        {runs.map((run) => (
          <li key={run.id}>
            <span className={`soft digits ${styles.when}`}>
              <time dateTime={run.dueTime}>{dateTime(run.dueTime, i18n.language)}</time>
              {run.origin === "person" ? <span>{t("byHand")}</span> : null}
            </span>
            <span>
              <Outcome run={run} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** "Posted: a linked title", "Skipped: reason", "Failed: reason". */
function Outcome({ run: { outcome, reason, post } }: { run: ScheduledRun }) {
  const { t } = useTranslation("scheduled-posting");
  if (outcome === "running") return t("writing");
  const said = <strong className={outcome === "failed" ? styles.failed : undefined}>{t(`outcome.${outcome}`)}</strong>;
  if (post !== null) {
    return (
      <>
        {said}{" "}
        <Link to="/blog/$slug" params={{ slug: post.slug }}>
          {post.title}
        </Link>
      </>
    );
  }
  return (
    <>
      {said} {reason === null ? null : t(`reason.${reason}`)}
    </>
  );
}
