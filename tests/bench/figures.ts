import type * as v from "valibot";
import type { Figures } from "./results.ts";

export type Figure = v.InferInput<typeof Figures>[number];

/** Prints the figures, sends them to run.ts, and fails the bench when a figure breaks its limit. */
export function report(figures: readonly Figure[]): void {
  for (const { name, value, limit, ok = true } of figures) {
    console.log(`${name}: ${value}${limit === undefined ? "" : ` (limit ${limit})`}${ok ? "" : " BROKEN"}`);
    if (!ok) process.exitCode = 1;
  }
  process.send?.(figures);
}

/** @param share 0.5 for the median; the result is the nearest measured value, or NaN without values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Bytes as kilobytes of 1000. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}
