import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { AdminMetrics } from "#contract/index.ts";
import { selectMetrics, selectMetricsAreLoading, selectMetricsDays, selectMetricsError } from "#machines/admin/metrics.ts";
import { bytes, dateTime, minutes, number, timeOfDay } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { NumberCard } from "#src/ui/number-card.tsx";
import styles from "./admin.module.css";
import { Attention, SetUp } from "./attention.tsx";
import { Charts } from "./charts.tsx";
import { Engines, Failures } from "./engines.tsx";
import { Failure } from "./failure.tsx";
import { closeMetrics, type Metrics, openMetrics, spans } from "./metrics-actor.ts";
import overviewStyles from "./overview.module.css";
import { adminSearch } from "./search.ts";
import type { AdminSection } from "./section.ts";

export const overview: AdminSection = {
  enter: (search) => <Overview actor={openMetrics(search)} />,
  leave: closeMetrics,
};

/** The metrics of the whole server; what needs attention comes first. */
function Overview({ actor }: { actor: Metrics }) {
  const { t } = useTranslation("admin");
  const metrics = useSelector(actor, selectMetrics);
  const error = useSelector(actor, selectMetricsError);
  return (
    <section className={`stack gap-5 ${styles.section}`} aria-labelledby="overview">
      <Heading actor={actor} />
      {error === null ? null : (
        <Failure error={error} text={t("overview.failed")} onRetry={() => actor.send({ type: "refresh.requested" })} />
      )}
      {metrics === null ? null : (
        <>
          <SetUp metrics={metrics} />
          <Attention metrics={metrics} />
          <Cards metrics={metrics} />
          <Spans actor={actor} />
          <Charts metrics={metrics} />
          <Failures failures={metrics.failures} />
          <Engines engines={metrics.engines} />
          <Server metrics={metrics} />
        </>
      )}
    </section>
  );
}

function Heading({ actor }: { actor: Metrics }) {
  const { t, i18n } = useTranslation("admin");
  const metrics = useSelector(actor, selectMetrics);
  const loading = useSelector(actor, selectMetricsAreLoading);
  return (
    <div className={`row apart baseline ${overviewStyles.heading}`}>
      <h2 id="overview">{t("sections.overview")}</h2>
      {/* Changes every minute: not announced to screen readers. */}
      <p className={styles.count} role={metrics === null ? "status" : undefined}>
        {metrics === null
          ? loading
            ? t("loading")
            : ""
          : t("overview.updated", { time: timeOfDay(Date.parse(metrics.at), i18n.language) })}
      </p>
      <Button icon="retry" look="quiet" busy={loading} onClick={() => actor.send({ type: "refresh.requested" })}>
        {t("overview.refresh")}
      </Button>
    </div>
  );
}

interface Card {
  name: string;
  value: string;
  note: string;
}

function Cards({ metrics: { users, minutes: used, signIns, jobs, mails, messages, storage } }: { metrics: AdminMetrics }) {
  const { t, i18n } = useTranslation("admin");
  const count = (value: number) => number(value, i18n.language);
  const size = (value: number) => bytes(value, i18n.language);
  const added = users.newPerDay.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const { database, audio, vault, other } = storage;
  const counts = { waiting: count(jobs.waiting), running: count(jobs.running), failed: count(jobs.failed) };
  const cards: Card[] = [
    {
      name: t("overview.users"),
      value: count(users.total),
      note: t("overview.usersNote", { confirmed: count(users.confirmed), added: count(added) }),
    },
    { name: t("overview.premium"), value: count(users.premium), note: t("overview.premiumNote") },
    { name: t("overview.minutes"), value: minutes(used.thisMonth, i18n.language), note: t("overview.minutesNote") },
    { name: t("overview.signIns"), value: count(signIns.today), note: t("overview.signInsNote") },
    { name: t("overview.jobs"), value: count(jobs.waiting + jobs.running), note: t("overview.jobsNote", counts) },
    {
      name: t("overview.mails"),
      value: count(mails.waiting),
      note: mails.server ? t("overview.mailsNote", { stuck: count(mails.stuck) }) : t("overview.mailsKept"),
    },
    {
      name: t("overview.messages"),
      value: count(messages.open + messages.waitlist),
      note: t("overview.messagesNote", { open: count(messages.open), waiting: count(messages.waitlist) }),
    },
    {
      name: t("overview.storage"),
      value: size(database + audio + vault + other),
      note: t("overview.storageNote", { database: size(database), audio: size(audio), vault: size(vault) }),
    },
    { name: t("overview.free"), value: size(storage.free), note: t("overview.freeNote", { size: size(storage.size) }) },
  ];
  return (
    <dl className={overviewStyles.cards}>
      {cards.map(({ name, value, note }) => (
        <NumberCard key={name} label={name} value={value}>
          <dd className="fine">{note}</dd>
        </NumberCard>
      ))}
    </dl>
  );
}

function Spans({ actor }: { actor: Metrics }) {
  const { t } = useTranslation("admin");
  const chosen = useSelector(actor, selectMetricsDays);
  const loading = useSelector(actor, selectMetricsAreLoading);
  return (
    <nav className="row" aria-label={t("overview.span")} aria-busy={loading}>
      {spans.map((days) => (
        <Link
          key={days}
          to="/admin"
          search={adminSearch("overview", { days })}
          resetScroll={false}
          className={`tall size-1 ${styles.step}`}
          data-chosen={days === chosen || undefined}
        >
          {t("overview.lastDays", { days })}
        </Link>
      ))}
    </nav>
  );
}

/** The uptime in the largest unit that fits. */
function uptime(seconds: number, locale: string): string {
  const [value, unit] =
    seconds >= 172_800
      ? [seconds / 86_400, "day"]
      : seconds >= 7200
        ? [seconds / 3600, "hour"]
        : [Math.max(1, seconds / 60), "minute"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 }).format(
    Math.floor(value),
  );
}

function Server({ metrics: { version, uptimeSeconds, storage } }: { metrics: AdminMetrics }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <p className={styles.count}>
      {t("overview.server", { version, time: uptime(uptimeSeconds, i18n.language) })}{" "}
      {t("overview.measured", { date: dateTime(storage.measuredAt, i18n.language) })}
    </p>
  );
}
