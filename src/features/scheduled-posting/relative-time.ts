const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Time until or since, in the largest unit with at least two of it: "in 40 hours", "2 days ago", "this minute". */
export function relative(iso: string, now: number, locale: string): string {
  const ms = Date.parse(iso) - now;
  const [unit, size] = units.find(([, length]) => Math.abs(ms) >= 2 * length) ?? ["minute", 60_000];
  const count = Math.trunc(ms / size);
  // "auto" would render a day and a half as "tomorrow".
  return new Intl.RelativeTimeFormat(locale, { numeric: count === 0 ? "auto" : "always" }).format(count, unit);
}
