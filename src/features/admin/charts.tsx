import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AdminMetrics } from "#contract/index.ts";
import { Chart } from "#src/ui/charts/chart.tsx";
import { dayLabels } from "#src/ui/charts/days.ts";
import styles from "./overview.module.css";

const units = { gigabyte: 1_000_000_000, megabyte: 1_000_000 } as const;
const decimals: Intl.NumberFormatOptions = { maximumFractionDigits: 1 };

/** The metrics over time. */
export function Charts({ metrics: { days, users, minutes, signIns, storage } }: { metrics: AdminMetrics }) {
  const { t, i18n } = useTranslation("admin");
  const common = { ...dayLabels(days, i18n.language), table: { summary: t("charts.table"), column: t("charts.day") } };
  const most = Math.max(0, ...storage.usedPerDay.map((value) => value ?? 0));
  const unit = most < units.gigabyte ? "megabyte" : "gigabyte";
  const used = storage.usedPerDay.map((value) => (value === null ? null : value / units[unit]));
  return (
    <div className={styles.charts}>
      <Titled title={t("charts.new")}>
        <Chart {...common} kind="bar" label={t("charts.new")} series={[{ name: t("charts.new"), values: users.newPerDay }]} />
      </Titled>
      <Titled title={t("charts.minutes")}>
        <Chart
          {...common}
          kind="bar"
          label={t("charts.minutes")}
          series={[{ name: t("charts.minutes"), values: minutes.perDay }]}
          format={decimals}
        />
      </Titled>
      <Titled title={t("charts.signIns")}>
        <Chart
          {...common}
          kind="line"
          label={t("charts.signIns")}
          series={[{ name: t("charts.signIns"), values: signIns.perDay }]}
        />
      </Titled>
      <Titled title={t("charts.people")}>
        <Chart
          {...common}
          kind="line"
          label={t("charts.people")}
          series={[
            { name: t("overview.users"), values: users.totalPerDay },
            { name: t("overview.premium"), values: users.premiumPerDay },
          ]}
        />
      </Titled>
      <Titled title={t("charts.storage")}>
        <Chart
          {...common}
          kind="line"
          label={t("charts.storage")}
          series={[{ name: t("charts.storage"), values: used }]}
          format={{ style: "unit", unit, maximumFractionDigits: 2 }}
        />
      </Titled>
    </div>
  );
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.chart}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
