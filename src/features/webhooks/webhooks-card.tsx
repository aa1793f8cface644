import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Webhook } from "#contract/index.ts";
import {
  selectAsked,
  selectChanging,
  selectCreated,
  selectFailure,
  selectIsLoading,
  selectIsOpen,
  selectIsWriting,
  selectLoadError,
  selectLogged,
  selectRemoving,
  selectReturns,
  selectWebhooks,
} from "#machines/webhooks/selectors.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import entries from "#src/ui/entries.module.css";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { Webhooks } from "./actor.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { failureKey, typeKey } from "./keys.ts";
import { NewSecret } from "./new-secret.tsx";
import { NewWebhookForm } from "./new-webhook.tsx";
import styles from "./webhooks.module.css";

interface WebhooksProps {
  webhooks: Webhooks;
}

/** Servers of one's own that are told what is done: listed, made, paused, removed; what was sent to them. */
export function WebhooksCard({ webhooks }: WebhooksProps) {
  const { t } = useTranslation("webhooks");
  const loading = useSelector(webhooks, selectIsLoading);
  const failed = useSelector(webhooks, selectLoadError) !== null;
  const isOpen = useSelector(webhooks, selectIsOpen);
  const logged = useSelector(webhooks, selectLogged);
  return (
    <div className={styles.card}>
      {loading ? <p role="status">{t("loading")}</p> : null}
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => webhooks.send({ type: "reload.requested" })}>
          {t("failed")}
        </RetryNotice>
      ) : null}
      {isOpen && logged === null ? <Overview webhooks={webhooks} /> : null}
      {logged === null ? null : <DeliveryLog webhooks={webhooks} webhook={logged} />}
      <p className={entries.fine}>{t("limits")}</p>
      <Sure webhooks={webhooks} />
    </div>
  );
}

function Overview({ webhooks }: WebhooksProps) {
  const { t } = useTranslation("webhooks");
  const writing = useSelector(webhooks, selectIsWriting);
  const created = useSelector(webhooks, selectCreated);
  const { begin, opener } = useEditingInPlace();
  const open = () => {
    begin();
    webhooks.send({ type: "new.requested" });
  };
  return (
    <>
      <List webhooks={webhooks} />
      {writing ? <NewWebhookForm webhooks={webhooks} /> : null}
      {created === null ? null : <NewSecret webhooks={webhooks} created={created} />}
      {writing || created !== null ? null : (
        <div className={entries.actions}>
          <Button ref={opener} icon="plus" onClick={open}>
            {t("new")}
          </Button>
        </div>
      )}
    </>
  );
}

function List({ webhooks }: WebhooksProps) {
  const { t } = useTranslation("webhooks");
  const known = useSelector(webhooks, selectWebhooks);
  const returns = useSelector(webhooks, selectReturns);
  const writing = useSelector(webhooks, selectIsWriting);
  const failure = useSelector(webhooks, selectFailure);
  return (
    <>
      {/* It takes the focus when what had it is gone: a webhook that was removed, or a log that was closed. */}
      <h3 key={returns} ref={returns === 0 ? undefined : claimFocus} tabIndex={-1} className={entries.heading}>
        {known.length === 0 ? t("none") : t("yours")}
      </h3>
      <ul className={entries.entries}>
        {known.map((webhook) => (
          <Row key={webhook.id} webhooks={webhooks} webhook={webhook} />
        ))}
      </ul>
      {failure === null || writing ? null : <Notice tone="danger">{t(failureKey(failure))}</Notice>}
    </>
  );
}

/** Where a webhook's messages go, what they are about, and whether they arrive. */
function Row({ webhooks, webhook }: WebhooksProps & { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const { id, url, events, paused } = webhook;
  const changing = useSelector(webhooks, selectChanging);
  const removing = useSelector(webhooks, selectRemoving);
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className={entries.name}>
          <bdi>{url}</bdi>
        </p>
        <p className={entries.fine}>{events.map((event) => t(`type.${typeKey(event)}`)).join(" · ")}</p>
        <Health webhook={webhook} />
      </div>
      <div className={entries.actions}>
        <Button aria-label={t("logWhich", { url })} onClick={() => webhooks.send({ type: "log.requested", id })}>
          {t("log.open")}
        </Button>
        <Button
          icon={paused === null ? "pause" : "play"}
          aria-label={t(paused === null ? "pauseWhich" : "resumeWhich", { url })}
          busy={changing === id}
          onClick={() => webhooks.send({ type: paused === null ? "pause.requested" : "resume.requested", id })}
        >
          {t(paused === null ? "pause" : "resume")}
        </Button>
        <Button
          icon="trash"
          aria-label={t("removeWhich", { url })}
          busy={removing === id}
          onClick={() => webhooks.send({ type: "removal.requested", id })}
        >
          {t("remove")}
        </Button>
      </div>
    </li>
  );
}

/** Why nothing is sent, or since when nothing arrives. */
function Health({ webhook: { paused, failingSince, failures } }: { webhook: Webhook }) {
  const { t, i18n } = useTranslation("webhooks");
  const on = (at: string) => dateTime(at, i18n.language);
  // What its owner wanted is no bad news.
  const look = paused?.reason === "owner" ? entries.fine : entries.ended;
  if (paused !== null) return <p className={look}>{t(`paused.${paused.reason}`, { date: on(paused.at) })}</p>;
  if (failingSince === null) return null;
  return <p className={entries.ended}>{t("failing", { count: failures, date: on(failingSince) })}</p>;
}

/** Asks before a log and a secret are gone. */
function Sure({ webhooks }: WebhooksProps) {
  const { t } = useTranslation("webhooks");
  const asked = useSelector(webhooks, selectAsked);
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={t("sure.title")}
      text={t("sure.text", { url: asked.url })}
      confirmLabel={t("sure.yes")}
      cancelLabel={t("sure.no")}
      onConfirm={() => webhooks.send({ type: "removal.confirmed" })}
      onCancel={() => webhooks.send({ type: "removal.dismissed" })}
    />
  );
}
