const dayMs = 24 * 60 * 60 * 1000;

/** The UTC day of a time: "2026-03-01". @param at epoch ms */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Today and the `count - 1` days before it (UTC), oldest first. @param now epoch ms */
export function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * dayMs));
}
