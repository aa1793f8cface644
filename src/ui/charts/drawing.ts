import {
  BarController,
  BarElement,
  CategoryScale,
  type ChartConfiguration,
  Chart as ChartJs,
  type ChartOptions,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";

/** The used parts of the library. */
const parts = [BarController, BarElement, CategoryScale, LinearScale, LineController, LineElement, PointElement, Tooltip];

/** A color of the theme (src/ui/tokens.css). */
export type Tone = "accent" | "good" | "danger" | "soft";

export interface Series {
  name: string;
  /** One for each label; null if not measured. */
  values: readonly (number | null)[];
  /** Absent: chosen by the series' index. */
  tone?: Tone | undefined;
}

/** The data of a drawing: plain, so that two can be compared. */
export interface Drawing {
  kind: "line" | "bar";
  /** Labels below the axis. Those that don't fit are omitted. */
  axisLabels: readonly string[];
  /** Full labels for the tooltip. */
  labels: readonly string[];
  series: readonly Series[];
  locale: string;
  /** Formats a value, shorter on the axis. */
  format: Intl.NumberFormatOptions;
  /** Whether bars are stacked. */
  stacked: boolean;
}

const tones = ["accent", "good", "danger", "soft"] as const;
const tokens: Record<Tone, string> = { accent: "--accent", good: "--good", danger: "--danger", soft: "--ink-soft" };

/** The color of a series. */
export function toneOf({ tone }: Series, index: number): Tone {
  return tone ?? tones[index % tones.length] ?? "accent";
}

/** The dash and gap of a series' line in CSS px, which distinguish series without color. */
export function dashOf(index: number): number[] {
  return [[], [6, 3], [2, 3], [10, 4, 2, 4]][index % 4] ?? [];
}

/**
 * Draws on a canvas in the theme's colors. Draws again when the colors or the size of the canvas's container change.
 * @returns the cleanup
 */
export function draw(canvas: HTMLCanvasElement, drawing: Drawing): () => void {
  ChartJs.register(parts);
  let chart = new ChartJs(canvas, configure(canvas, drawing, !reducesMotion()));
  const redraw = () => {
    chart.destroy();
    chart = new ChartJs(canvas, configure(canvas, drawing, false));
  };
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", redraw);
  return () => {
    theme.disconnect();
    scheme.removeEventListener("change", redraw);
    chart.destroy();
  };
}

const reducesMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The value of a token at this element. The browser resolves `light-dark()` only in an element's color. */
function colourOf(canvas: HTMLCanvasElement, token: string): string {
  canvas.style.color = `var(${token})`;
  const { color } = getComputedStyle(canvas);
  canvas.style.color = "";
  return color;
}

function configure(
  canvas: HTMLCanvasElement,
  drawing: Drawing,
  animated: boolean,
): ChartConfiguration<"line" | "bar", (number | null)[], string> {
  const { kind, axisLabels, series } = drawing;
  return {
    type: kind,
    data: {
      labels: [...axisLabels],
      datasets: series.map((one, index) => {
        const colour = colourOf(canvas, tokens[toneOf(one, index)]);
        const values = { label: one.name, data: [...one.values], borderColor: colour };
        if (kind === "bar") return { ...values, backgroundColor: colour, borderRadius: 2, maxBarThickness: 40 };
        return { ...values, ...lineLook(colour, index, one.values.length) };
      }),
    },
    options: { ...optionsOf(canvas, drawing), animation: animated ? { duration: 260 } : false },
  };
}

function lineLook(colour: string, index: number, count: number) {
  return {
    backgroundColor: colour,
    borderWidth: 2,
    borderDash: dashOf(index),
    pointBackgroundColor: colour,
    // A short line is visible only by its points. On a long line, points would hide the line.
    pointRadius: count <= 31 ? 2 : 0,
    pointHoverRadius: 5,
    pointHitRadius: 12,
    cubicInterpolationMode: "monotone" as const,
  };
}

function optionsOf(canvas: HTMLCanvasElement, { labels, locale, format, stacked }: Drawing): ChartOptions<"line" | "bar"> {
  const whole = new Intl.NumberFormat(locale, format);
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1, ...format });
  const soft = colourOf(canvas, "--ink-soft");
  const rule = colourOf(canvas, "--rule");
  const ink = colourOf(canvas, "--ink");
  const font = { family: getComputedStyle(canvas).fontFamily, size: 12 };
  return {
    locale,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: "index", intersect: false },
    scales: {
      x: {
        stacked,
        grid: { display: false },
        border: { color: rule },
        ticks: { color: soft, font, autoSkipPadding: 16, maxRotation: 0 },
      },
      y: {
        stacked,
        beginAtZero: true,
        // Gives the axis a height even without data.
        suggestedMax: format.style === "percent" ? 0.1 : 4,
        grid: { color: rule },
        border: { display: false },
        ticks: { color: soft, font, maxTicksLimit: 6, callback: (value) => short.format(Number(value)), ...wholeTicks(format) },
      },
    },
    plugins: {
      tooltip: {
        backgroundColor: colourOf(canvas, "--surface"),
        borderColor: colourOf(canvas, "--rule-strong"),
        borderWidth: 1,
        titleColor: ink,
        bodyColor: ink,
        titleFont: font,
        bodyFont: font,
        padding: 10,
        boxPadding: 6,
        callbacks: {
          title: ([item]) => (item === undefined ? "" : (labels[item.dataIndex] ?? "")),
          label: ({ dataset, parsed }) => `${dataset.label ?? ""} ${parsed.y === null ? "–" : whole.format(parsed.y)}`,
        },
      },
    },
  };
}

/** Prevents fractions on the axis of counts. */
function wholeTicks({ style = "decimal", maximumFractionDigits = 0 }: Intl.NumberFormatOptions): { precision?: number } {
  return style === "decimal" && maximumFractionDigits === 0 ? { precision: 0 } : {};
}
