import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { type AdminJob, jobStates } from "#contract/index.ts";
import { selectListQuery } from "#machines/admin/list.ts";
import { selectRowActionFailure, selectRowActions } from "#machines/admin/row-actions.ts";
import type { JobsQuery } from "#src/api/jobs.ts";
import { clock, dateTime, languageName, number, percent } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { Button } from "#src/ui/button.tsx";
import { ChoiceField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./admin.module.css";
import own from "./inboxes.module.css";
import { closeJobs, type JobList, openJobActions, openJobs } from "./jobs-actor.ts";
import { List } from "./list.tsx";
import { ListTable } from "./list-table.tsx";
import { focusSection, RowActionQuestion } from "./row-action.tsx";
import { adminSearch } from "./search.ts";
import { type AdminSection, claimSectionFocus } from "./section.ts";
import table from "./table.module.css";

export const jobs: AdminSection = {
  enter: (search) => <Jobs list={openJobs(search)} />,
  leave: closeJobs,
};

const tones = { waiting: undefined, running: "accent", failed: "danger" } as const;

/** The transcription queue: waiting, running and failed jobs, without any content. */
function Jobs({ list }: { list: JobList }) {
  const { t, i18n } = useTranslation("admin");
  const query = useSelector(list, (snapshot) => selectListQuery(snapshot));
  const failure = useSelector(openJobActions(), selectRowActionFailure);
  return (
    <section className={`stack gap-5 ${styles.section}`} aria-labelledby="jobs">
      <h2 id="jobs" tabIndex={-1} ref={claimSectionFocus}>
        {t("sections.jobs")}
      </h2>
      <p className={styles.count}>{t("jobs.lead")}</p>
      <Filter query={query} />
      {failure === null ? null : (
        <Notice tone="danger">
          <strong>{t("jobs.notChanged")}</strong>
          <p>{t(failure === "conflict" || failure === "limitReached" ? `jobs.${failure}` : `errors.${failure}`)}</p>
        </Notice>
      )}
      <List
        list={list}
        failedText={t("jobs.failed")}
        emptyText={t("jobs.none")}
        countText={(total) => t("jobs.count", { n: number(total, i18n.language) })}
        searchOf={(page) => adminSearch("jobs", { ...query, page })}
      >
        {(rows) => <Table rows={rows} />}
      </List>
      <RowActionQuestion
        actions={openJobActions()}
        texts={{
          title: t("jobs.cancelTitle"),
          text: t("jobs.cancelText"),
          confirmLabel: t("jobs.cancelConfirm"),
          cancelLabel: t("jobs.keep"),
          icon: null,
        }}
      />
    </section>
  );
}

function Filter({ query }: { query: JobsQuery }) {
  const { t } = useTranslation("admin");
  const navigate = useNavigate();
  return (
    <search className={own.filters}>
      <ChoiceField
        label={t("jobs.show")}
        name="state"
        value={query.state}
        values={jobStates}
        textOf={(state) => t(`jobs.states.${state}`)}
        onChoose={(state) =>
          void navigate({ to: "/admin", search: adminSearch("jobs", { state }), replace: true, resetScroll: false })
        }
      />
    </search>
  );
}

function Table({ rows }: { rows: readonly AdminJob[] }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <ListTable
      caption={t("sections.jobs")}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { name: t("jobs.owner"), cell: (job) => <Owner job={job} /> },
        {
          name: t("jobs.state"),
          cell: (job) => (
            <span>
              <Badge tone={tones[job.state]}>{t(`jobs.states.${job.state}`)}</Badge>
              <Why job={job} />
            </span>
          ),
        },
        {
          name: t("jobs.what"),
          cell: ({ origin, language, durationSeconds }) => {
            const spoken = language === "auto" ? t("app:languages.auto") : languageName(language, i18n.language);
            const length = durationSeconds === null ? "" : `, ${clock(durationSeconds)}`;
            return `${t(`transcriptions.origins.${origin}`)}, ${spoken}${length}`;
          },
        },
        { name: t("jobs.engine"), cell: ({ engine }) => engine ?? "–" },
        { name: t("jobs.attempts"), look: "number", cell: ({ failures }) => failures ?? "–" },
        { name: t("jobs.action"), cell: (job) => (job.state === "failed" ? <Retry job={job} /> : <Cancel job={job} />) },
      ]}
    />
  );
}

function Owner({ job: { userId, email, createdAt } }: { job: AdminJob }) {
  const { i18n } = useTranslation("admin");
  return (
    <>
      <Link to="/admin" search={adminSearch("users", { user: userId })}>
        {email}
      </Link>
      <p className={table.soft}>
        <time dateTime={createdAt}>{dateTime(createdAt, i18n.language)}</time>
      </p>
    </>
  );
}

function Why({ job: { state, stage, fraction, error } }: { job: AdminJob }) {
  const { t, i18n } = useTranslation("admin");
  if (state === "failed") return error === null ? null : <p className={table.soft}>{t(`errors.${error}`)}</p>;
  if (state === "waiting" || stage === null) return null;
  return <p className={`digits ${table.soft}`}>{percent(fraction, i18n.language)}</p>;
}

function Cancel({ job: { id, email } }: { job: AdminJob }) {
  const { t } = useTranslation("admin");
  const actions = openJobActions();
  const busy = useSelector(actions, (snapshot) => selectRowActions(snapshot).some((rowAction) => rowAction.id === id));
  return (
    <Button
      icon="close"
      className={own.retry}
      busy={busy}
      aria-label={t("jobs.cancelOf", { email })}
      onClick={() => actions.send({ type: "rowAction.requested", rowAction: { action: "cancel", id } })}
    >
      {t("jobs.cancel")}
    </Button>
  );
}

function Retry({ job: { id, email, canRetry } }: { job: AdminJob }) {
  const { t } = useTranslation("admin");
  const actions = openJobActions();
  const busy = useSelector(actions, (snapshot) => selectRowActions(snapshot).some((rowAction) => rowAction.id === id));
  if (!canRetry) return <span className={table.soft}>{t("jobs.noAudio")}</span>;
  return (
    <Button
      icon="retry"
      className={own.retry}
      busy={busy}
      aria-label={t("jobs.retryOf", { email })}
      onClick={(event) => {
        focusSection(event);
        actions.send({ type: "rowAction.requested", rowAction: { action: "retry", id } });
      }}
    >
      {t("retry")}
    </Button>
  );
}
