import i18next from "i18next";
import { preferredLanguages } from "#src/browser/server-rendered.ts";

/**
 * Numbers, dates and names formatted for the interface language (Intl). All functions are pure, so that a render may
 * call them.
 */

/**
 * The interface language with the browser's preferred region ("en" is "en-GB" for a user in Britain), which determines
 * the format of dates and times.
 */
export function regional(language: string, wanted: readonly string[] = preferredLanguages()): string {
  return wanted.find((code) => code === language || code.startsWith(`${language}-`)) ?? language;
}

/** Formats seconds as a clock: "0:07", "12:34", "1:02:03"; "0:00" for an invalid length. */
export function clock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** Caches formatters, because creating one costs a hundred times as much as using it. */
function remembered<Formatter>(make: (locale: string) => Formatter): (locale: string) => Formatter {
  const made = new Map<string, Formatter>();
  return (locale) => {
    const formatter = made.get(locale) ?? make(locale);
    made.set(locale, formatter);
    return formatter;
  };
}

const dateTimeIn = remembered((region) => new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" }));
const timeIn = remembered((region) => new Intl.DateTimeFormat(region, { timeStyle: "short" }));
const numberIn = remembered((locale) => new Intl.NumberFormat(locale));
const percentIn = remembered((locale) => new Intl.NumberFormat(locale, { style: "percent" }));
const languageIn = remembered((locale) => new Intl.DisplayNames([locale], { type: "language", languageDisplay: "standard" }));

/** Creates a formatter of dates; "" for no date. `iso` is ISO 8601. */
const written = (dates: (region: string) => Intl.DateTimeFormat) => (iso: string, locale: string) => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : withOrdinal(dates(regional(locale)).format(date), locale);
};

/** A date and time: "20 Nov 2026, 14:05". `iso` is ISO 8601. */
export const dateTime = written(dateTimeIn);

const dateIn = remembered((region) => new Intl.DateTimeFormat(region, { dateStyle: "long" }));
const publicDateIn = remembered((region) => new Intl.DateTimeFormat(region, { dateStyle: "long", timeZone: "UTC" }));

/** A day: "20 November 2026". `iso` is ISO 8601. */
export const date = written(dateIn);

const lately = remembered((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
const dayIn = remembered((region) => new Intl.DateTimeFormat(region, { weekday: "long", day: "numeric", month: "long" }));

/**
 * A day relative to now: "today", "yesterday", "Monday, 23 November", in another year "20 November 2025". Both in epoch
 * ms.
 */
export function dayName(at: number, now: number, locale: string): string {
  const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0 || days === -1) return lately(locale).format(days, "day");
  if (new Date(at).getFullYear() !== new Date(now).getFullYear()) return withOrdinal(dateIn(regional(locale)).format(at), locale);
  return withOrdinal(dayIn(regional(locale)).format(at), locale);
}

/** A day for public pages, in UTC, so that it is the same in the renderer and for every reader. */
export const publicDate = written(publicDateIn);

/**
 * Changes a date that begins with "1" to the French ("1er décembre") or Brazilian form ("1º de dezembro"), which Intl
 * lacks.
 */
export function withOrdinal(date: string, locale: string): string {
  const first = locale.startsWith("fr") ? "1er" : locale.startsWith("pt") ? "1º" : "1";
  return date.replace(/(^|\D)1 (?=\p{L})/u, `$1${first} `);
}

/**
 * An amount: "€96", "9,60 €"; whole amounts without decimals. `cents` in the currency's smallest unit; `currency` as in
 * ISO 4217.
 */
export function money(cents: number, currency: string, locale: string): string {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat(locale, { style: "currency", currency }).resolvedOptions();
  return new Intl.NumberFormat(locale, { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" }).format(
    cents / 10 ** maximumFractionDigits,
  );
}

/** A time of day: "14:05". `at` in epoch ms. */
export function timeOfDay(at: number, locale: string): string {
  return timeIn(regional(locale)).format(at);
}

const minutesIn = remembered((locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

/** Minutes with one decimal: "1.5", in German "1,5". */
export function minutes(count: number, locale: string): string {
  return minutesIn(locale).format(count);
}

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Bytes in the largest fitting unit (powers of 1,000, as in SI): "2.1 MB". */
export function bytes(count: number, locale: string): string {
  const step = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)));
  const unit = byteUnits[step] ?? "byte";
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(count / 1000 ** step);
}

/** A number with the language's digit grouping: "12,345". */
export function number(value: number, locale: string): string {
  return numberIn(locale).format(value);
}

/** A fraction from 0 to 1 as "42%". */
export function percent(fraction: number, locale: string): string {
  return percentIn(locale).format(fraction);
}

/** A language's name in the interface language: "es-ES" is "Spanish (Spain)". An unknown code is returned unchanged. */
export function languageName(code: string, locale: string): string {
  try {
    const name = languageIn(locale).of(code) ?? code;
    // Chromium has no names for some of Whisper's languages.
    return name === code ? i18next.t(`languages.${code}`, { lng: locale, defaultValue: code }) : name;
  } catch {
    return code;
  }
}

/** Unique language codes, sorted by their names in the interface language. */
export const byName = (codes: readonly string[], locale: string): string[] =>
  [...new Set(codes)].sort((one, other) => languageName(one, locale).localeCompare(languageName(other, locale), locale));

const relativeIn = remembered((locale) => new Intl.RelativeTimeFormat(locale));

/** The time from now, rounded up: "in 15 minutes", "in 40 seconds". */
export function inTime(seconds: number, locale: string): string {
  if (seconds > 90) return relativeIn(locale).format(Math.ceil(seconds / 60), "minute");
  return relativeIn(locale).format(Math.max(1, Math.ceil(seconds)), "second");
}

const agoUnits = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/**
 * Time until or since, in the largest unit with at least two of it: "in 40 hours", "2 days ago", "this minute". `now`
 * in epoch ms.
 */
export function relativeTime(iso: string, now: number, locale: string): string {
  const ms = Date.parse(iso) - now;
  const [unit, size] = agoUnits.find(([, length]) => Math.abs(ms) >= 2 * length) ?? ["minute", 60_000];
  const count = Math.trunc(ms / size);
  // `lately` only for 0; otherwise a day and a half would become "tomorrow".
  return (count === 0 ? lately : relativeIn)(locale).format(count, unit);
}

/**
 * How long ago a day is: "today", "yesterday", "5 days ago"; a date after a month.
 * @param day ISO 8601; its UTC day counts
 * @param today "2026-03-20"
 */
export function relativeDay(day: string, today: string, locale: string): string {
  const at = Date.parse(day.slice(0, 10));
  if (Number.isNaN(at)) return day;
  const ago = Math.round((Date.parse(today) - at) / 86_400_000);
  return ago >= 0 && ago < 31 ? lately(locale).format(-ago, "day") : publicDate(day.slice(0, 10), locale);
}

/** An approximate length: "3 min" in whole minutes from 90 s on, else "40 sec". */
export function roughDuration(seconds: number, locale: string): string {
  const minutes = seconds >= 90;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: minutes ? "minute" : "second",
    unitDisplay: "short",
    maximumFractionDigits: 0,
  }).format(minutes ? seconds / 60 : Math.max(1, seconds));
}
