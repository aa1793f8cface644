import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { AdminMetrics } from "#contract/index.ts";
import { largest } from "#contract/lists.ts";
import { Chart } from "#src/ui/charts/chart.tsx";
import { dayLabels } from "#src/ui/charts/days.ts";
import styles from "./overview.module.css";

const units = { gigabyte: 1_000_000_000, megabyte: 1_000_000 } as const;
const decimals: Intl.NumberFormatOptions = { maximumFractionDigits: 1 };

/** The metrics over time. */
export function Charts({ metrics: { days, users, minutes, signIns, storage } }: { metrics: AdminMetrics }) {
  const { t, i18n } = useTranslation("admin");
  const common = { ...dayLabels(days, i18n.language), table: { summary: t("charts.table"), column: t("charts.day") } };
  const most = Math.max(0, largest(storage.usedPerDay.map((value) => value ?? 0)));
  const unit = most < units.gigabyte ? "megabyte" : "gigabyte";
  const used = storage.usedPerDay.map((value) => (value === null ? null : value / units[unit]));
  const charts: (Pick<ComponentProps<typeof Chart>, "kind" | "series" | "format"> & { title: string })[] = [
    { title: t("charts.new"), kind: "bar", series: [{ name: t("charts.new"), values: users.newPerDay }] },
    {
      title: t("charts.minutes"),
      kind: "bar",
      series: [{ name: t("charts.minutes"), values: minutes.perDay }],
      format: decimals,
    },
    { title: t("charts.signIns"), kind: "line", series: [{ name: t("charts.signIns"), values: signIns.perDay }] },
    {
      title: t("charts.people"),
      kind: "line",
      series: [
        { name: t("overview.users"), values: users.totalPerDay },
        { name: t("overview.premium"), values: users.premiumPerDay },
      ],
    },
    {
      title: t("charts.storage"),
      kind: "line",
      series: [{ name: t("charts.storage"), values: used }],
      format: { style: "unit", unit, maximumFractionDigits: 2 },
    },
  ];
  return (
    <div className={styles.charts}>
      {charts.map(({ title, ...chart }) => (
        <section key={title} className={`card stack compact ${styles.chart}`}>
          <h3>{title}</h3>
          <Chart {...common} {...chart} label={title} />
        </section>
      ))}
    </div>
  );
}
