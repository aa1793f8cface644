import { useLocation } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { Subscription } from "#contract/index.ts";
import {
  selectBillingFailure,
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
import { date } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Page } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import { openSubscription } from "./actor.ts";
import type { Billing } from "./billing.ts";
import { Invoices } from "./invoices.tsx";
import { MonthUsage } from "./month-usage.tsx";
import { Offer } from "./offer.tsx";
import styles from "./subscription.module.css";

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
      <div className={styles.columns}>
        <Plan billing={billing} />
        <MonthUsage />
      </div>
      <Invoices billing={billing} />
    </Page>
  );
}

/** What the subscription gate has refused, and what unlocks it. */
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

/** The plan, described according to its status. */
function Plan({ billing }: { billing: Billing }) {
  const { t } = useTranslation("subscription");
  const details = useSelector(openSubscription(), selectDetails);
  const premium = useSelector(openSubscription(), selectIsPremium);
  return (
    <section className={styles.card} aria-labelledby="plan">
      <h2 id="plan">{t("plan")}</h2>
      <p className={styles.plan}>{t(premium ? "premium" : "free")}</p>
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
  if (details === null) return <p>{t("state.free")}</p>;
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

/** Actions for a paying person. */
function Manage({ billing, details }: { billing: Billing; details: Subscription | null }) {
  const { t, i18n } = useTranslation("subscription");
  const confirming = useSelector(billing, selectIsConfirming);
  const cancelling = useSelector(billing, selectIsCancelling);
  const opening = useSelector(billing, selectIsOpeningPortal);
  const until = details?.currentPeriodEnd ?? null;
  return (
    <div className={styles.actions}>
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
