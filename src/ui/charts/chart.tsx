import { memo } from "react";
import { useTranslation } from "react-i18next";
import styles from "./chart.module.css";
import { type Drawing, dashOf, draw, type Series, toneOf } from "./drawing.ts";

interface ChartProps {
  kind: "line" | "bar";
  /** The accessible name, which describes the chart. */
  label: string;
  /** One label for each value, in full: "20 November 2026". */
  labels: readonly string[];
  /** Shorter labels for the axis: "20 Nov". */
  axisLabels?: readonly string[];
  series: readonly Series[];
  /** Formats a value; plain numbers by default. */
  format?: Intl.NumberFormatOptions;
  /** Stacked bars instead of bars side by side. */
  stacked?: boolean;
  /** The table with the same numbers: the label that opens it, and its first column's heading. */
  table: { summary: string; column: string };
}

const plain: Intl.NumberFormatOptions = {};

/**
 * Numbers as lines or bars in the theme's colors, with a legend and a collapsed table of the same numbers. It has no
 * texts of its own. It imports chart.js (about 50 kB), so use it only in lazily loaded routes.
 */
export function Chart({ kind, label, labels, axisLabels = labels, series, format = plain, stacked = false, table }: ChartProps) {
  const { i18n } = useTranslation();
  const locale = i18n.language;
  return (
    <figure className="stack">
      {series.length > 1 ? <Legend kind={kind} series={series} /> : null}
      <div className={styles.picture}>
        <Canvas label={label} drawing={{ kind, axisLabels, labels, series, locale, format, stacked }} />
      </div>
      <Numbers caption={label} labels={labels} series={series} format={format} locale={locale} {...table} />
    </figure>
  );
}

interface CanvasProps {
  label: string;
  drawing: Drawing;
}

/** Memoized, because an inline ref would be new at each render and draw again. */
const Canvas = memo(
  function Canvas({ label, drawing }: CanvasProps) {
    return (
      <canvas
        className={styles.canvas}
        role="img"
        aria-label={label}
        ref={(canvas) => (canvas === null ? undefined : draw(canvas, drawing))}
      />
    );
  },
  (one, other) => JSON.stringify(one) === JSON.stringify(other),
);

function Legend({ kind, series }: { kind: "line" | "bar"; series: readonly Series[] }) {
  return (
    <ul className={`facts ${styles.legend}`}>
      {series.map((one, index) => (
        <li key={one.name} className="line">
          <svg width={kind === "line" ? 28 : 12} height="12" aria-hidden="true" focusable="false" data-tone={toneOf(one, index)}>
            {kind === "line" ? (
              <path d="M1 6h26" stroke="currentColor" strokeWidth="2" strokeDasharray={dashOf(index).join(" ") || undefined} />
            ) : (
              <rect width="12" height="12" rx="2" fill="currentColor" />
            )}
          </svg>
          {one.name}
        </li>
      ))}
    </ul>
  );
}

interface NumbersProps {
  caption: string;
  summary: string;
  column: string;
  labels: readonly string[];
  series: readonly Series[];
  format: Intl.NumberFormatOptions;
  locale: string;
}

/** The same numbers as a table, also for screen readers. */
function Numbers({ caption, summary, column, labels, series, format, locale }: NumbersProps) {
  const numbers = new Intl.NumberFormat(locale, format);
  return (
    <details className={styles.numbers}>
      <summary>{summary}</summary>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{column}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, row) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map(({ name, values }) => {
                const value = values[row] ?? null;
                return <td key={name}>{value === null ? "–" : numbers.format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
