import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectUsage, selectUsageIsOffered } from "#machines/subscription/usage.ts";
import { date, minutes } from "#src/i18n/format.ts";
import styles from "./subscription.module.css";
import { openUsage } from "./usage.ts";
import { UsageMeter } from "./usage-meter.tsx";

/** Usage of this month: a bar where there is a limit, else a number. */
export function MonthUsage() {
  const { t, i18n } = useTranslation("subscription");
  const usage = useSelector(openUsage(), selectUsage);
  const offered = useSelector(openUsage(), selectUsageIsOffered);
  if (!offered) return null;
  return (
    <section className={styles.card} aria-labelledby="usage">
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
          <p className={styles.soft}>{t("usage.resets", { date: date(usage.resetsAt, i18n.language) })}</p>
        </>
      )}
    </section>
  );
}
