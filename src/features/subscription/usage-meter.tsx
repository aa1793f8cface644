import { useSelector } from "@xstate/react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Usage } from "#contract/index.ts";
import { selectIsAtLimit, selectUsage, usageLevel } from "#machines/subscription/usage.ts";
import { dateTime, minutes } from "#src/i18n/format.ts";
import { Notice } from "#src/ui/notice.tsx";
import { Meter } from "#src/ui/progress.tsx";
import { UpgradeLink } from "./upgrade-link.tsx";
import { openUsage } from "./usage.ts";
import styles from "./usage-meter.module.css";

/** Id of the text that explains why nothing new can be started, for `aria-describedby` of disabled controls. */
export const limitReasonId = "usage-limit-reached";

/** Whether the free minutes of this month are used up. */
export function useIsAtLimit(): boolean {
  return useSelector(openUsage(), selectIsAtLimit);
}

/** The free minutes used this month. Renders nothing without a limit. */
export function UsageMeter() {
  const usage = useSelector(openUsage(), selectUsage);
  if (usage === null || usage.limitMinutes === null) return null;
  return usageLevel(usage) === "reached" ? <Reached usage={usage} /> : <Used usage={usage} limit={usage.limitMinutes} />;
}

function Used({ usage, limit }: { usage: Usage; limit: number }) {
  const { t, i18n } = useTranslation("app");
  const label = useId();
  const used = usage.usedTranslationMinutes;
  const isNear = usageLevel(usage) === "near";
  return (
    <div className={`facts ${isNear ? "wrong" : ""}`} data-testid="usage">
      <p id={label}>{t("usage.used", { used: minutes(used, i18n.language), limit })}</p>
      <Meter labelledBy={label} value={used} max={limit} near={isNear} className={styles.meter} />
    </div>
  );
}

/** The free minutes left this month. Renders nothing without a limit. */
export function MinutesLeft() {
  const { t, i18n } = useTranslation("app");
  const usage = useSelector(openUsage(), selectUsage);
  if (usage === null || usage.limitMinutes === null) return null;
  if (usageLevel(usage) === "reached") return <Reached usage={usage} />;
  const left = usage.limitMinutes - usage.usedTranslationMinutes;
  return <p className="facts">{t("usage.remaining", { n: minutes(left, i18n.language) })}</p>;
}

/** The text of a reached limit. Not a live region, because a toast has already announced it. */
function Reached({ usage }: { usage: Usage }) {
  const { t, i18n } = useTranslation("app");
  return (
    <Notice announce={false} icon="warning" actions={<UpgradeLink code="limitReached" />}>
      <p id={limitReasonId}>{t("usage.reached")}</p>
      <p>{t("usage.resets", { date: dateTime(usage.resetsAt, i18n.language) })}</p>
    </Notice>
  );
}
