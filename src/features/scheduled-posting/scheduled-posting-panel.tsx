import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import {
  selectIsSkipping,
  selectIsTriggering,
  selectIsWriting,
  selectSchedule,
  selectScheduleFailure,
  selectScheduleIsLoading,
  selectScheduleIsUnavailable,
  selectStaleness,
} from "#machines/scheduled-posting/machine.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { openSchedule } from "./actor.ts";
import { Facts } from "./facts.tsx";
import { Begun, History } from "./history.tsx";
import styles from "./scheduled-posting.module.css";

/** Scheduled posting: its state, recent runs, and actions. `enterSchedule` must have been called. */
export function SchedulePanel() {
  const { t } = useTranslation("scheduled-posting");
  const schedule = openSchedule();
  const unavailable = useSelector(schedule, selectScheduleIsUnavailable);
  const loading = useSelector(schedule, selectScheduleIsLoading);
  const seen = useSelector(schedule, selectSchedule);
  return (
    <section className={styles.panel} aria-labelledby="schedule" aria-busy={loading}>
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
      <div className={styles.actions}>
        <Button icon="edit" busy={triggering || writing} onClick={() => schedule.send({ type: "trigger.requested" })}>
          {t("trigger")}
        </Button>
        {enabled ? (
          <Button look="quiet" busy={skipping} onClick={() => schedule.send({ type: "skip.requested", skip: !skips })}>
            {t(skips ? "unskip" : "skip")}
          </Button>
        ) : null}
      </div>
      <div role="status" className={styles.progress}>
        {triggering || writing ? <p>{t("writing")}</p> : <Begun />}
      </div>
    </>
  );
}
