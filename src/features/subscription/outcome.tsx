import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { prices } from "#contract/index.ts";
import { selectBillingFailure, selectInterval, selectIsStartingCheckout } from "#machines/subscription/billing.ts";
import {
  selectBeginFailure,
  selectBlocked,
  selectIsBeginning,
  selectIsChecking,
  selectOutcome,
} from "#machines/subscription/checkout-return.ts";
import { selectDetails } from "#machines/subscription/machine.ts";
import { date, money } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { MessageScreen } from "#src/ui/screens.tsx";
import { openSubscription } from "./actor.ts";
import type { Billing, CheckoutReturn } from "./billing.ts";
import { Gains } from "./offer.tsx";
import styles from "./subscription.module.css";

/** Shown after a successful checkout: the server's state. Waits until the subscription is active. */
export function Success({ actor }: { actor: CheckoutReturn }) {
  const { t } = useTranslation("subscription");
  const outcome = useSelector(actor, selectOutcome);
  const retry = (
    <Button icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
      {t("retry")}
    </Button>
  );
  const ways = {
    waiting: null,
    confirmed: <GoOn actor={actor} />,
    unconfirmed: retry,
    signedOut: (
      <Link className={buttonClass("primary")} to="/signin">
        {t("outcome.signIn")}
      </Link>
    ),
  };
  return (
    <div aria-live="polite" className={styles.outcome}>
      {outcome === "waiting" ? <span className={styles.waiting} aria-hidden="true" /> : null}
      <MessageScreen key={outcome} title={t(`outcome.${outcome}Title`)} text={t(`outcome.${outcome}`)} action={ways[outcome]} />
      {outcome === "confirmed" ? <Bought /> : null}
    </div>
  );
}

/** The bought plan: its price, its renewal date, and what it includes. */
function Bought() {
  const { t, i18n } = useTranslation("subscription");
  const details = useSelector(openSubscription(), selectDetails);
  const interval = details?.interval ?? null;
  const day = details?.currentPeriodEnd ?? null;
  const price = interval === null ? null : money(prices[interval], prices.currency, i18n.language);
  return (
    <section className={`card pad-5 stack starts ${styles.card}`} aria-labelledby="bought">
      <h2 id="bought">{t("outcome.bought")}</h2>
      <p className="size-4 reading">{t("premium")}</p>
      {interval === null ? null : <p>{t(`offer.${interval}`, { price })}</p>}
      {day === null ? null : <p>{t("state.active", { date: date(day, i18n.language) })}</p>}
      <Gains />
    </section>
  );
}

/** Suggests one next step: transcribing the stored file that was too long for the free minutes, or else the vault. */
function GoOn({ actor }: { actor: CheckoutReturn }) {
  const { t } = useTranslation("subscription");
  const blocked = useSelector(actor, selectBlocked);
  const isChecking = useSelector(actor, selectIsChecking);
  const beginning = useSelector(actor, selectIsBeginning);
  const failure = useSelector(actor, selectBeginFailure);
  if (isChecking) return null;
  const values = { count: blocked.length, title: blocked[0]?.title };
  const isBlocked = blocked.length > 0;
  return (
    <>
      {isBlocked ? (
        <>
          <p className={styles.blocked}>{t("outcome.blocked", values)}</p>
          {failure === null ? null : <Notice tone="danger">{t([`errors.${failure}`, "errors.internal"])}</Notice>}
          <Button look="primary" busy={beginning} onClick={() => actor.send({ type: "transcribing.requested" })}>
            {t("outcome.transcribe", values)}
          </Button>
        </>
      ) : null}
      {isBlocked ? null : (
        <Link className={buttonClass("primary")} to="/encrypted-audio">
          {t("outcome.vault")}
        </Link>
      )}
      <Link className={buttonClass("quiet")} to="/subscription">
        {t("outcome.toSubscription")}
      </Link>
    </>
  );
}

interface CancelledProps {
  /** Whether the checkout could not be started: the server's placeholder for its address (SPEC.md section 7). */
  unavailable: boolean;
  billing: Billing;
}

/** Shown after a checkout without payment. */
export function Cancelled({ unavailable, billing }: CancelledProps) {
  const { t } = useTranslation("subscription");
  const failure = useSelector(billing, selectBillingFailure);
  const starting = useSelector(billing, selectIsStartingCheckout);
  const interval = useSelector(billing, selectInterval);
  return (
    <div className={styles.outcome}>
      <MessageScreen
        title={t(unavailable ? "checkoutFailed" : "outcome.cancelledTitle")}
        text={t(unavailable ? "outcome.unavailable" : "outcome.cancelled")}
        action={
          <>
            <Button look="primary" icon="retry" busy={starting} onClick={() => billing.send({ type: "checkout.requested" })}>
              {t("retry")}
            </Button>
            <Link className={buttonClass("secondary")} to="/subscription" search={{ interval }}>
              {t("outcome.toSubscription")}
            </Link>
          </>
        }
      />
      {failure ? <Notice tone="danger">{t(failure)}</Notice> : null}
    </div>
  );
}
