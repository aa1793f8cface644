import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { AdminUser, AdminUserRow } from "#contract/index.ts";
import { selectUser, selectUserError } from "#machines/admin/user.ts";
import { deviceOf } from "#src/features/settings/device.ts";
import { Status } from "#src/features/transcriptions/status.tsx";
import { bytes, clock, date, dateTime, languageName, minutes, money, number } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { FactList } from "#src/ui/fact-list.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import styles from "./admin.module.css";
import { ListTable } from "./list-table.tsx";
import { Manage } from "./manage.tsx";
import { adminSearch } from "./search.ts";
import { claimSectionFocus } from "./section.ts";
import table from "./table.module.css";
import own from "./users.module.css";
import type { OpenUser } from "./users-actor.ts";

/** One user, without the content of transcriptions. */
export function User({ actor }: { actor: OpenUser }) {
  const { t } = useTranslation("admin");
  const user = useSelector(actor, selectUser);
  const error = useSelector(actor, selectUserError);
  return (
    <section className={`stack gap-5 ${styles.section}`} aria-labelledby="user">
      <Link to="/admin" search={adminSearch("users")} className="tall fit">
        <Icon name="arrowBack" />
        {t("user.back")}
      </Link>
      <h2 id="user" tabIndex={-1} ref={claimSectionFocus}>
        {user?.email ?? t("user.title")}
      </h2>
      {error === null ? null : (
        <RetryNotice label={t("retry")} onRetry={() => actor.send({ type: "refresh.requested" })}>
          <strong>{t("user.failed")}</strong>
          <p>{t(error === "notFound" ? "user.gone" : `errors.${error}`)}</p>
        </RetryNotice>
      )}
      {user === null && error === null ? <p role="status">{t("loading")}</p> : null}
      {user === null ? null : (
        <>
          <Facts user={user} />
          <div className={`columns top ${own.columns}`}>
            <Manage actor={actor} user={user} />
            <div className="stack gap-4">
              <ActiveSessions user={user} />
              <Months user={user} />
              <Invoices user={user} />
            </div>
          </div>
          <Transcriptions transcriptions={user.transcriptions} />
        </>
      )}
    </section>
  );
}

function Facts({ user }: { user: AdminUser }) {
  const { t, i18n } = useTranslation("admin");
  const facts = [
    { name: t("user.name"), value: user.name === "" ? "–" : user.name },
    { name: t("user.registered"), value: dateTime(user.createdAt, i18n.language) },
    { name: t("user.seen"), value: user.lastSeenAt === null ? t("user.never") : dateTime(user.lastSeenAt, i18n.language) },
    { name: t("user.minutes"), value: minutes(user.minutesThisMonth, i18n.language) },
    { name: t("user.language"), value: languageName(user.language, i18n.language) },
    { name: t("user.entry"), value: t(user.hasPassword ? "user.password" : "user.federated") },
    {
      name: t("user.vault"),
      value:
        user.vault === null
          ? t("user.noVault")
          : t("user.vaultHolds", {
              n: number(user.vault.items, i18n.language),
              size: bytes(user.vault.bytes, i18n.language),
            }),
    },
    { name: t("user.id"), value: user.id },
  ];
  return (
    <>
      <Badges row={user} />
      <FactList className={own.facts} facts={facts} />
    </>
  );
}

function ActiveSessions({ user: { signIns } }: { user: AdminUser }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <section className="card pad-roomy stack compact" aria-labelledby="active-sessions">
      <h3 id="active-sessions">{t("signIns.title")}</h3>
      {signIns.length === 0 ? <p className="note">{t("signIns.none")}</p> : null}
      <ul className={`divided ${own.devices}`}>
        {signIns.map(({ id, device, createdAt, seenAt, current }) => {
          const { browser, system } = deviceOf(device);
          return (
            <li key={id}>
              <strong>{[browser, system].filter(Boolean).join(", ") || t("signIns.unknown")}</strong>{" "}
              {current ? <Badge>{t("signIns.current")}</Badge> : null}
              <p className="note">{t("signIns.used", { date: dateTime(seenAt ?? createdAt, i18n.language) })}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Formats "2026-03" as "March 2026". */
function monthName(month: string, locale: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  return new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(first);
}

function Months({ user: { usage } }: { user: AdminUser }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <section className="card pad-roomy stack compact" aria-labelledby="usage">
      <h3 id="usage">{t("usage.title")}</h3>
      {usage.length === 0 ? (
        <p className="note">{t("usage.none")}</p>
      ) : (
        <ListTable
          isPlain
          rows={usage}
          keyOf={({ month }) => month}
          columns={[
            { name: t("usage.month"), cell: ({ month }) => monthName(month, i18n.language) },
            { name: t("usage.minutes"), look: "number", cell: ({ minutes: used }) => minutes(used, i18n.language) },
          ]}
        />
      )}
    </section>
  );
}

function Invoices({ user: { invoices } }: { user: AdminUser }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <section className="card pad-roomy stack compact" aria-labelledby="invoices">
      <h3 id="invoices">{t("invoices.title")}</h3>
      {invoices === null ? <Notice tone="danger">{t("invoices.failed")}</Notice> : null}
      {invoices?.length === 0 ? <p className="note">{t("invoices.none")}</p> : null}
      {invoices === null || invoices.length === 0 ? null : (
        <ListTable
          isPlain
          rows={invoices}
          keyOf={({ id }) => id}
          columns={[
            { name: t("invoices.date"), cell: (invoice) => date(invoice.date, i18n.language) },
            { name: t("invoices.amount"), cell: ({ amount, currency }) => money(amount, currency, i18n.language) },
            {
              name: t("invoices.state"),
              cell: ({ status }) => t(`invoices.states.${status}`, { defaultValue: status }),
            },
          ]}
        />
      )}
    </section>
  );
}

/** A user's transcriptions: dates and sizes, without any content. */
function Transcriptions({ transcriptions: { total, latest } }: Pick<AdminUser, "transcriptions">) {
  const { t, i18n } = useTranslation("admin");
  const shown = (value: number) => number(value, i18n.language);
  return (
    <section className="stack" aria-labelledby="transcriptions">
      <h3 className="size-3" id="transcriptions">
        {t("transcriptions.title")}
      </h3>
      <p className="note">
        {t("transcriptions.private")}{" "}
        {total > latest.length ? t("transcriptions.latest", { shown: shown(latest.length), total: shown(total) }) : null}
      </p>
      {total === 0 ? (
        <p>{t("transcriptions.none")}</p>
      ) : (
        <ListTable
          rows={latest}
          keyOf={({ id }) => id}
          columns={[
            { name: t("transcriptions.date"), cell: ({ date }) => dateTime(date, i18n.language) },
            { name: t("transcriptions.origin"), cell: ({ origin }) => t(`transcriptions.origins.${origin}`) },
            {
              name: t("transcriptions.language"),
              cell: ({ language }) => (language === "auto" ? t("app:languages.auto") : languageName(language, i18n.language)),
            },
            {
              name: t("transcriptions.status"),
              cell: ({ status, error }) => (
                <>
                  <Status status={status} />
                  {error === null ? null : <p className={table.soft}>{t(`errors.${error}`)}</p>}
                </>
              ),
            },
            {
              name: t("transcriptions.duration"),
              look: "number",
              cell: ({ durationSeconds }) => (durationSeconds === null ? "–" : clock(durationSeconds)),
            },
            {
              name: t("transcriptions.size"),
              look: "number",
              cell: ({ size }) => (size === null ? "–" : bytes(size, i18n.language)),
            },
          ]}
        />
      )}
    </section>
  );
}

/** The user's plan and role as badges. */
export function Badges({ row: { premium, superuser, confirmed, blocked } }: { row: AdminUserRow }) {
  const { t } = useTranslation("admin");
  return (
    <span className="row gap-1">
      <Badge tone={premium ? "good" : undefined}>{t(premium ? "user.premium" : "user.free")}</Badge>
      {superuser ? <Badge tone="accent">{t("user.superuser")}</Badge> : null}
      {blocked ? <Badge tone="danger">{t("user.blocked")}</Badge> : null}
      {confirmed ? null : <Badge>{t("user.unconfirmed")}</Badge>}
    </span>
  );
}
