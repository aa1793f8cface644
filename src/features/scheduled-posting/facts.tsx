import { useTranslation } from "react-i18next";
import type { ScheduledStatus } from "#contract/index.ts";
import { dateTime } from "#src/i18n/format.ts";
import { relative } from "./relative-time.ts";
import styles from "./scheduled-posting.module.css";

interface FactsProps {
  status: ScheduledStatus;
  /** The time of the server's answer, epoch ms. */
  at: number;
}

/** The next run, the last one, and the frequency. */
export function Facts({ status, at }: FactsProps) {
  const { t, i18n } = useTranslation("scheduled-posting");
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t("next")}</dt>
        <dd>
          <When iso={status.nextRunTime} at={at} otherwise={t("never")} />
          {status.skipsNext ? <small>{skipsText(status)}</small> : null}
        </dd>
      </div>
      <div>
        <dt>{t("last")}</dt>
        <dd>
          <When iso={status.lastRunTime} at={at} otherwise={t("notYet")} />
          {status.errorMessage ? (
            <small lang="en" className={styles.failed}>
              {status.errorMessage}
            </small>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{t("posted")}</dt>
        <dd>{number(status.postsGenerated)}</dd>
      </div>
      <div>
        <dt>{t("skipped")}</dt>
        <dd>{number(status.postsSkipped)}</dd>
      </div>
    </dl>
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
      {relative(iso, at, i18n.language)}
      <span>{dateTime(iso, i18n.language)}</span>
    </time>
  );
}
