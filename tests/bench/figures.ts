/** One thing that was measured. */
export interface Figure {
  name: string;
  /** With its unit: "118.4 kB". */
  value: string;
  /** "126 kB"; without one the value is only printed and never fails. */
  limit?: string;
  /** Whether the value is within its limit. Default true. */
  ok?: boolean;
}

/** Prints one line for each figure, in the form that run.ts reads, and lets the bench fail when one breaks its limit. */
export function report(figures: readonly Figure[]): void {
  for (const { name, value, limit, ok = true } of figures) {
    console.log(`${name}: ${value}${limit === undefined ? "" : ` (limit ${limit})`}${ok ? "" : " BROKEN"}`);
    if (!ok) process.exitCode = 1;
  }
}

/** @param share 0.5 is the median; the nearest value that was really measured. NaN of nothing. */
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
