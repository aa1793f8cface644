import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Webhook } from "#contract/index.ts";
import { selectIsOpen } from "#machines/collection/loading.ts";
import { selectLogged } from "#machines/webhooks/selectors.ts";
import { Items } from "#src/features/collection/items.tsx";
import { LoadingNotices } from "#src/features/collection/loading-notices.tsx";
import { NewItem } from "#src/features/collection/new-item.tsx";
import { PausableButtons } from "#src/features/collection/pausable-buttons.tsx";
import { RemovalQuestion } from "#src/features/collection/removal-question.tsx";
import { ShownOnce } from "#src/features/collection/shown-once.tsx";
import { dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import entries from "#src/ui/entries.module.css";
import type { Webhooks } from "./actor.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { typeKey } from "./keys.ts";
import { NewWebhookForm } from "./new-webhook.tsx";

interface WebhooksProps {
  webhooks: Webhooks;
}

/**
 * The user's own servers that receive messages about finished work. Lists, creates, pauses and removes them, and shows
 * their logs.
 */
export function WebhooksCard({ webhooks }: WebhooksProps) {
  const { t } = useTranslation("webhooks");
  const isOpen = useSelector(webhooks, selectIsOpen);
  const logged = useSelector(webhooks, selectLogged);
  return (
    <div className="stack">
      <LoadingNotices actor={webhooks} texts={{ loading: t("loading"), failed: t("failed"), retry: t("retry") }} />
      {isOpen && logged === null ? <Overview webhooks={webhooks} /> : null}
      {logged === null ? null : <DeliveryLog webhooks={webhooks} webhook={logged} />}
      <p className="measure note">{t("limits")}</p>
      <RemovalQuestion actor={webhooks} say={(key, { url }) => t(`sure.${key}`, { url })} />
    </div>
  );
}

function Overview({ webhooks }: WebhooksProps) {
  const { t } = useTranslation("webhooks");
  return (
    <>
      <Items
        actor={webhooks}
        texts={{ none: t("none"), yours: t("yours") }}
        row={(webhook) => <Row key={webhook.id} webhooks={webhooks} webhook={webhook} />}
        failure={(code) => t([`failure.${code}`, "failure.other"])}
      />
      <NewItem
        actor={webhooks}
        label={t("new")}
        form={<NewWebhookForm webhooks={webhooks} />}
        secret={({ secret }) => (
          <ShownOnce actor={webhooks} value={secret} testId="webhook-secret" say={(key) => t(`created.${key}`)}>
            {t("created.text")}
          </ShownOnce>
        )}
      />
    </>
  );
}

/** A webhook's address, its message types, and its state. */
function Row({ webhooks, webhook }: WebhooksProps & { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const { id, url, events } = webhook;
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className="strong anywhere">
          <bdi>{url}</bdi>
        </p>
        <p className="facts measure size-1">{events.map((event) => t(`type.${typeKey(event)}`)).join(" · ")}</p>
        <Health webhook={webhook} />
      </div>
      <div className="row">
        <Button aria-label={t("logWhich", { url })} onClick={() => webhooks.send({ type: "log.requested", id })}>
          {t("log.open")}
        </Button>
        <PausableButtons actor={webhooks} item={webhook} say={(key) => t(key, { url })} />
      </div>
    </li>
  );
}

/** Why nothing is sent, or since when deliveries fail. */
function Health({ webhook: { paused, failingSince, failures } }: { webhook: Webhook }) {
  const { t, i18n } = useTranslation("webhooks");
  const on = (at: string) => dateTime(at, i18n.language);
  // A pause by the owner is no warning.
  const look = paused?.reason === "owner" ? "facts size-1 measure" : "wrong";
  if (paused !== null) return <p className={look}>{t(`paused.${paused.reason}`, { date: on(paused.at) })}</p>;
  if (failingSince === null) return null;
  return <p className="wrong">{t("failing", { count: failures, date: on(failingSince) })}</p>;
}
