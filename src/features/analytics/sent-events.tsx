import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Analytics, SentEvent } from "./create-analytics.ts";
import styles from "./test-page.module.css";

/** Every event since the page was loaded, the newest first. */
export function SentEvents({ analytics: { sent, tagHost } }: { analytics: Analytics }) {
  const { t } = useTranslation("analytics");
  const events = useSyncExternalStore(sent.subscribe, sent.get);
  return (
    <section className="card pad-5 stack" aria-labelledby="test-events">
      <h2 id="test-events">{t("test.events.title", { number: events.length })}</h2>
      {events.length === 0 ? (
        <p className="note">{t("test.events.none")}</p>
      ) : (
        <table className={`size-0 digits ${styles.events}`} data-testid="events">
          <thead>
            <tr>
              <th scope="col">{t("test.events.time")}</th>
              <th scope="col">{t("test.events.name")}</th>
              <th scope="col">{t("test.events.params")}</th>
              <th scope="col">{t("test.events.delivered")}</th>
            </tr>
          </thead>
          <tbody>
            {events.toReversed().map((event) => (
              <Row key={event.id} event={event} tagHost={tagHost} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row({ event, tagHost }: { event: SentEvent; tagHost: string | undefined }) {
  const { t, i18n } = useTranslation("analytics");
  const time = new Intl.DateTimeFormat(i18n.language, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
  return (
    <tr data-event={event.name} data-delivered={event.delivered}>
      <td>
        <time dateTime={new Date(event.at).toISOString()}>{time.format(event.at)}</time>
      </td>
      <th scope="row">
        <code>{event.name}</code>
      </th>
      <td>
        <ul>
          {Object.entries(event.params).map(([name, value]) => (
            <li key={name}>
              <code>{`${name}: ${value}`}</code>
            </li>
          ))}
        </ul>
      </td>
      <td>{t(`test.delivered.${event.delivered}`, { tag: tagHost ?? "" })}</td>
    </tr>
  );
}
