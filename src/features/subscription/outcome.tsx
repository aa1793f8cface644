import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectBillingFailure, selectInterval, selectIsStartingCheckout } from "#machines/subscription/billing.ts";
import { selectOutcome } from "#machines/subscription/checkout-return.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { MessageScreen } from "#src/ui/screens.tsx";
import type { Billing, CheckoutReturn } from "./billing.ts";
import styles from "./subscription.module.css";

/** After a successful checkout: shows the server's state, and waits until the subscription is active. */
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
    confirmed: (
      <>
        <Link className={buttonClass("primary")} to="/voice-translator">
          {t("outcome.translate")}
        </Link>
        <Link className={buttonClass("secondary")} to="/subscription">
          {t("outcome.toSubscription")}
        </Link>
      </>
    ),
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
    </div>
  );
}

interface CancelledProps {
  /** The checkout could not be started: the placeholder for its address (SPEC.md section 7). */
  unavailable: boolean;
  billing: Billing;
}

/** After a checkout without payment. */
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
