import { useLocation } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Subscription } from "#contract/index.ts";
import {
  selectBillingFailure,
  selectBillingHistory,
  selectHistoryFailed,
  selectHistoryIsOffered,
  selectIsCancelling,
  selectIsConfirming,
  selectIsOpeningPortal,
} from "#machines/subscription/billing.ts";
import {
  selectDetails,
  selectIsPremium,
  selectSubscriptionFailed,
  selectSubscriptionStatus,
} from "#machines/subscription/machine.ts";
import { selectIsFetchingUsage, selectUsage } from "#machines/subscription/usage.ts";
import { date, minutes, money } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import { openSubscription } from "./actor.ts";
import type { Billing } from "./billing.ts";
import { Offer } from "./offer.tsx";
import styles from "./subscription.module.css";
import { openUsage } from "./usage.ts";
import { UsageMeter } from "./usage-meter.tsx";

/** The current subscription, its usage, and actions. */
export function SubscriptionPage({ billing }: { billing: Billing }) {
  const { t } = useTranslation("subscription");
  const subscription = openSubscription();
  const status = useSelector(subscription, selectSubscriptionStatus);
  const failed = useSelector(subscription, selectSubscriptionFailed);
  const failure = useSelector(billing, selectBillingFailure);
  if (status === "loading") return <LoadingScreen message={t("loading")} />;
  return (
    <Page title={t("title")} lead={t("lead")}>
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => subscription.send({ type: "subscription.changed" })}>
          {t("detailsFailed")}
        </RetryNotice>
      ) : null}
      {failure ? <Notice tone="danger">{t(failure)}</Notice> : null}
      <Locked />
      <div className={`columns top ${styles.columns}`}>
        <Plan billing={billing} />
        <MonthUsage />
      </div>
      <Invoices billing={billing} />
    </Page>
  );
}

/** Explains which page the subscription gate has refused, and which plan unlocks it. */
function Locked() {
  const { t } = useTranslation("subscription");
  const isLocked = useLocation({ select: ({ state }) => state.isVaultLocked === true });
  const premium = useSelector(openSubscription(), selectIsPremium);
  if (!isLocked || premium) return null;
  return (
    <Notice announce={false}>
      <strong>{t("locked.title")}</strong>
      <p>{t("locked.text")}</p>
    </Notice>
  );
}

/** The plan, described by its status. */
function Plan({ billing }: { billing: Billing }) {
  const { t } = useTranslation("subscription");
  const details = useSelector(openSubscription(), selectDetails);
  const premium = useSelector(openSubscription(), selectIsPremium);
  return (
    <section className={`card pad-5 stack starts ${styles.card}`} aria-labelledby="plan">
      <h2 id="plan">{t("plan")}</h2>
      <p className="size-4 reading">{t(premium ? "premium" : "free")}</p>
      <State details={details} />
      {premium && details?.granted ? null : premium || details?.status === "past_due" ? (
        <Manage billing={billing} details={details} />
      ) : (
        <Offer billing={billing} />
      )}
    </section>
  );
}

function State({ details }: { details: Subscription | null }) {
  const { t, i18n } = useTranslation("subscription");
  if (details === null || details.status === "free") return <p>{t("state.free")}</p>;
  const day = details.currentPeriodEnd === null ? null : date(details.currentPeriodEnd, i18n.language);
  const ends = details.cancelAtPeriodEnd;
  const lasts = details.status === "active" || details.status === "trialing";
  if (details.granted && lasts) return <p>{day === null ? t("state.givenOpen") : t("state.given", { date: day })}</p>;
  switch (details.status) {
    case "active":
    case "trialing":
      if (day === null) return <p>{t("state.open")}</p>;
      return <p>{t(ends ? "state.ending" : `state.${details.status}`, { date: day })}</p>;
    case "past_due":
      return <Notice tone="danger">{t("state.past_due")}</Notice>;
    default:
      return <p>{t("state.ended")}</p>;
  }
}

/** Actions of a paying user. */
function Manage({ billing, details }: { billing: Billing; details: Subscription | null }) {
  const { t, i18n } = useTranslation("subscription");
  const confirming = useSelector(billing, selectIsConfirming);
  const cancelling = useSelector(billing, selectIsCancelling);
  const opening = useSelector(billing, selectIsOpeningPortal);
  const until = details?.currentPeriodEnd ?? null;
  return (
    <div className="row">
      <Button busy={opening} onClick={() => billing.send({ type: "portal.requested" })}>
        {t("portal")}
      </Button>
      {details?.cancelAtPeriodEnd ? null : (
        <Button look="quiet" busy={cancelling} onClick={() => billing.send({ type: "cancel.requested" })}>
          {t("cancel")}
        </Button>
      )}
      {confirming ? (
        <ConfirmDialog
          title={t("cancelTitle")}
          text={until === null ? t("cancelText") : t("cancelTextUntil", { date: date(until, i18n.language) })}
          confirmLabel={t("cancelConfirm")}
          cancelLabel={t("keep")}
          icon={null}
          onConfirm={() => billing.send({ type: "cancel.confirmed" })}
          onCancel={() => billing.send({ type: "cancel.dismissed" })}
        />
      ) : null}
    </div>
  );
}

/** Payments, the newest first. */
function Invoices({ billing }: { billing: Billing }) {
  const { t, i18n } = useTranslation("subscription");
  const invoices = useSelector(billing, selectBillingHistory);
  const failed = useSelector(billing, selectHistoryFailed);
  const offered = useSelector(billing, selectHistoryIsOffered);
  if (!offered) return null;
  return (
    <section className={`stack ${styles.invoices}`} aria-labelledby="invoices">
      <h2 id="invoices">{t("invoices.title")}</h2>
      {failed ? (
        <RetryNotice label={t("retry")} onRetry={() => billing.send({ type: "history.requested" })}>
          {t("invoices.failed")}
        </RetryNotice>
      ) : null}
      {invoices === null && !failed ? <p role="status">{t("loading")}</p> : null}
      {invoices?.length === 0 ? <p className="note">{t("invoices.none")}</p> : null}
      {invoices && invoices.length > 0 ? (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("invoices.date")}</th>
              <th scope="col">{t("invoices.amount")}</th>
              <th scope="col">{t("invoices.status")}</th>
            </tr>
          </thead>
          <tbody>
            {invoices.map((invoice) => (
              <tr key={invoice.id}>
                <td>
                  {invoice.url ? (
                    <a href={invoice.url}>{date(invoice.date, i18n.language)}</a>
                  ) : (
                    date(invoice.date, i18n.language)
                  )}
                </td>
                <td>{money(invoice.amount, invoice.currency, i18n.language)}</td>
                <td>{t(`invoices.state.${invoice.status}`, { defaultValue: invoice.status })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}

/** This month's usage: a bar if there is a limit, otherwise a number. */
function MonthUsage() {
  const { t, i18n } = useTranslation("subscription");
  const usage = useSelector(openUsage(), selectUsage);
  const fetching = useSelector(openUsage(), selectIsFetchingUsage);
  if (usage === null && !fetching) return null;
  return (
    <section className={`card pad-5 stack starts ${styles.card}`} aria-labelledby="usage">
      <h2 id="usage">{t("usage.title")}</h2>
      {usage === null ? (
        <p role="status">{t("usage.loading")}</p>
      ) : (
        <>
          {usage.limitMinutes === null ? (
            <p>{t("usage.unlimited", { used: minutes(usage.usedTranslationMinutes, i18n.language) })}</p>
          ) : (
            <UsageMeter />
          )}
          <p className="note">{t("usage.resets", { date: date(usage.resetsAt, i18n.language) })}</p>
        </>
      )}
    </section>
  );
}
