/** A measured value and its time. */
export interface Sample {
  /** In minutes. */
  at: number;
  value: number;
}

/**
 * The growth rate: the median of the slopes between any two samples (Theil and Sen). A single early or late garbage
 * collection does not change it.
 * @returns per minute; 0 for less than two samples
 */
export function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((from, i) =>
    samples.slice(i + 1).flatMap((to) => (to.at > from.at ? [(to.value - from.value) / (to.at - from.at)] : [])),
  );
  const sorted = slopes.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
