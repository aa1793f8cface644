import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { ScheduledRun } from "#contract/index.ts";
import { selectBegunRun } from "#machines/scheduled-posting/machine.ts";
import { dateTime } from "#src/i18n/format.ts";
import { openSchedule } from "./actor.ts";
import styles from "./scheduled-posting.module.css";

/** The outcome of the run that was started here by hand. */
export function Begun() {
  const run = useSelector(openSchedule(), selectBegunRun);
  return run === null ? null : (
    <p>
      <Outcome run={run} />
    </p>
  );
}

export function History({ runs }: { runs: readonly ScheduledRun[] }) {
  const { t, i18n } = useTranslation("scheduled-posting");
  return (
    <details className={styles.history}>
      <summary>{t("history")}</summary>
      {runs.length === 0 ? <p>{t("noRuns")}</p> : null}
      <ol>
        {runs.map((run) => (
          <li key={run.id}>
            <span className={styles.when}>
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
