import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Webhook, WebhookDelivery } from "#contract/index.ts";
import { selectFailure } from "#machines/collection/loading.ts";
import { selectDeliveries, selectHasLogFailed, selectIsTesting, selectReplaying } from "#machines/webhooks/selectors.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { Webhooks } from "./actor.ts";
import { typeKey } from "./keys.ts";
import styles from "./webhooks.module.css";

/** The log replaces the list with its focused element, so the heading takes the focus. */
const focus = (heading: HTMLElement | null) => heading?.focus({ preventScroll: true });

/** The messages sent to a webhook, and their results. */
export function DeliveryLog({ webhooks, webhook }: { webhooks: Webhooks; webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const deliveries = useSelector(webhooks, selectDeliveries);
  const hasFailed = useSelector(webhooks, selectHasLogFailed);
  const testing = useSelector(webhooks, selectIsTesting);
  const failure = useSelector(webhooks, selectFailure);
  return (
    <section className="stack" aria-labelledby="webhook-log">
      <h3 id="webhook-log" ref={focus} tabIndex={-1}>
        {t("log.title")}
      </h3>
      <p className="strong anywhere">
        <bdi>{webhook.url}</bdi>
      </p>
      <div className="row">
        <Button icon="back" onClick={() => webhooks.send({ type: "log.dismissed" })}>
          {t("log.back")}
        </Button>
        {deliveries === null ? null : (
          <Button busy={testing} onClick={() => webhooks.send({ type: "test.requested" })}>
            {t("log.test")}
          </Button>
        )}
      </div>
      {failure === null ? null : <Notice tone="danger">{t([`failure.${failure}`, "failure.other"])}</Notice>}
      {hasFailed ? (
        <RetryNotice label={t("retry")} onRetry={() => webhooks.send({ type: "reload.requested" })}>
          {t("log.failed")}
        </RetryNotice>
      ) : null}
      {deliveries === null && !hasFailed ? <p role="status">{t("loading")}</p> : null}
      {deliveries?.length === 0 ? <p>{t("log.none")}</p> : null}
      <ol className="stack gap-0">
        {deliveries?.map((delivery) => (
          <Delivery key={delivery.id} webhooks={webhooks} delivery={delivery} />
        ))}
      </ol>
      <p className="measure note">{t("log.kept")}</p>
    </section>
  );
}

function Delivery({ webhooks, delivery }: { webhooks: Webhooks; delivery: WebhookDelivery }) {
  const { t, i18n } = useTranslation("webhooks");
  const { id, type, transcriptionId, createdAt, answer } = delivery;
  const replaying = useSelector(webhooks, selectReplaying);
  const at = dateTime(createdAt, i18n.language);
  const name = t(`type.${typeKey(type)}`);
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className="strong anywhere">{name}</p>
        <p className="facts measure size-1">
          <span>{at}</span>
          <State delivery={delivery} />
          {transcriptionId === null ? null : (
            <Link to="/transcription/$id" params={{ id: transcriptionId }}>
              {t("log.transcript")}
            </Link>
          )}
        </p>
        <Outcome delivery={delivery} />
        {answer === "" ? null : (
          <code className={styles.answer}>
            <bdi>{answer}</bdi>
          </code>
        )}
      </div>
      <Button
        icon="retry"
        aria-label={t("log.replayWhich", { name, date: at })}
        busy={replaying === id}
        onClick={() => webhooks.send({ type: "replay.requested", id })}
      >
        {t("log.replay")}
      </Button>
    </li>
  );
}

/** The state of a message: pending, delivered, or given up. */
function State({ delivery: { state, attempts, nextAt } }: { delivery: WebhookDelivery }) {
  const { t, i18n } = useTranslation("webhooks");
  if (state === "waiting" && (attempts === 0 || nextAt === null)) return <span role="status">{t("state.sending")}</span>;
  if (state === "waiting") return <span>{t("state.again", { date: dateTime(nextAt ?? "", i18n.language) })}</span>;
  return <span className={state === "failed" ? "wrong" : undefined}>{t(`state.${state}`)}</span>;
}

const unanswered = ["urlRefused", "urlTimeout"];

/** The webhook server's answer, or why there is none. */
function Outcome({ delivery: { status, error, attempts } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation("webhooks");
  const count = attempts > 1 ? t("log.attempts", { count: attempts }) : "";
  const line = (text: string) => (
    <p className="facts measure size-1">
      <span>{text}</span>
      {count === "" ? null : <span>{count}</span>}
    </p>
  );
  if (error !== null) return line(t(`log.${unanswered.includes(error) ? error : "urlUnreachable"}`));
  if (status === null) return null;
  return line(t(status >= 300 && status < 400 ? "log.redirected" : "log.answered", { status }));
}
