import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { prices } from "#contract/prices.ts";
import { useSignedInHint } from "#src/features/session/token-hint.ts";
import { buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./landing.module.css";

const { currency } = prices;
const intervals = ["month", "year"] as const;
const plans = ["free", "premium"] as const;
const lines = ["one", "two", "three"] as const;

/** Both plans, monthly and yearly (SPEC.md section 1). */
export function Pricing() {
  const { t, i18n } = useTranslation();
  const signedIn = useSignedInHint();
  const [interval, setInterval] = useState<"month" | "year">("year");
  const money = (cents: number) =>
    new Intl.NumberFormat(i18n.language, { style: "currency", currency, maximumFractionDigits: 0 }).format(cents / 100);
  const amounts = { monthly: money(prices.year / 12), saved: money(prices.month * 12 - prices.year) };
  const ways = {
    free: { to: signedIn ? "/speech-to-text" : "/signup" },
    premium: { to: signedIn ? "/subscription" : "/signup", search: { plan: "premium", interval } },
  } as const;
  return (
    <section id="pricing" className={`stack gap-5 ${styles.section}`} aria-labelledby="pricing-title">
      <div className="row apart bottom gap-4">
        <h2 id="pricing-title" className="size-5">
          {t("landing.pricing.title")}
        </h2>
        <fieldset className={`needsScript ${styles.intervals}`}>
          <legend className="visuallyHidden">{t("landing.pricing.interval")}</legend>
          {intervals.map((each) => (
            <label key={each}>
              <input type="radio" name="interval" checked={interval === each} onChange={() => setInterval(each)} />
              <span suppressHydrationWarning>{t(`landing.pricing.${each}.name`, amounts)}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <ul className={styles.plans}>
        {plans.map((plan) => (
          <li key={plan}>
            <h3 className="size-3">{t(`landing.pricing.${plan}.name`)}</h3>
            <p>{t(`landing.pricing.${plan}.text`)}</p>
            <p className={styles.price} aria-live="polite">
              <strong suppressHydrationWarning>{money(plan === "free" ? 0 : prices[interval])}</strong>{" "}
              {t(`landing.pricing.${interval}.per`)}
              <span className={`fine ${styles.small}`} suppressHydrationWarning>
                {t(plan === "free" ? "landing.pricing.free.note" : `landing.pricing.${interval}.note`, amounts)}
              </span>
            </p>
            <ul>
              {lines.map((line) => (
                <li key={line} className="line top">
                  <Icon name="check" />
                  {t(`landing.pricing.${plan}.${line}`)}
                </li>
              ))}
            </ul>
            <Link className={buttonClass(plan === "free" ? "secondary" : "primary")} {...ways[plan]}>
              {t(plan === "premium" ? "landing.pricing.premium.choose" : signedIn ? "landing.start" : "titles.signUp")}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
