const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How long until a time or since it, in the largest unit of which it is at least one: "in 19 hours", "2 days ago", "in 0 minutes". */
export function relative(iso: string, now: number, locale: string): string {
  const ms = Date.parse(iso) - now;
  const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? ["minute", 60_000];
  return new Intl.RelativeTimeFormat(locale).format(Math.trunc(ms / size), unit);
}
