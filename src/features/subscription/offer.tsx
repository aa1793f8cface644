import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { prices } from "#contract/index.ts";
import { selectInterval, selectIsStartingCheckout } from "#machines/subscription/billing.ts";
import { money } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ChoiceCard, ChoiceCards } from "#src/ui/choice-cards.tsx";
import { Icon } from "#src/ui/icon.tsx";
import type { Billing } from "./billing.ts";
import styles from "./subscription.module.css";

const intervals = ["year", "month"] as const;
const gains = ["unlimited", "vault", "everything"] as const;

/** What Premium includes. */
export function Gains() {
  const { t } = useTranslation("subscription");
  return (
    <ul className={`stack gap-2 ${styles.gains}`}>
      {gains.map((gain) => (
        <li key={gain} className="line top">
          <Icon name="check" />
          {t(`offer.${gain}`)}
        </li>
      ))}
    </ul>
  );
}

/** Premium, yearly or monthly, with the savings. */
export function Offer({ billing }: { billing: Billing }) {
  const { t, i18n } = useTranslation("subscription");
  const chosen = useSelector(billing, selectInterval);
  const starting = useSelector(billing, selectIsStartingCheckout);
  const shown = (cents: number) => money(cents, prices.currency, i18n.language);
  const values = {
    price: shown(prices[chosen]),
    monthly: shown(prices.year / 12),
    saved: shown(prices.month * 12 - prices.year),
  };
  return (
    <>
      <h3>{t("offer.title")}</h3>
      <Gains />
      <ChoiceCards stacked legend={t("offer.interval")} legendClass="strong">
        {intervals.map((interval) => (
          <ChoiceCard
            key={interval}
            name="interval"
            checked={chosen === interval}
            onChange={() => billing.send({ type: "interval.chosen", interval })}
          >
            <span>
              {t(`offer.${interval}`, { price: shown(prices[interval]) })}
              <small className={`fine ${styles.intervalNote}`}>{t(`offer.${interval}Note`, values)}</small>
            </span>
          </ChoiceCard>
        ))}
      </ChoiceCards>
      <Button look="primary" busy={starting} onClick={() => billing.send({ type: "checkout.requested" })}>
        {t(`offer.${chosen}Upgrade`, values)}
      </Button>
      <p className="visuallyHidden" role="status">
        {starting ? t("offer.starting") : ""}
      </p>
    </>
  );
}
