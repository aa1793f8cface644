import { folded } from "#contract/search/terms.ts";

/** Longest date (characters). */
const maxCharacters = 120;
/** There were no feeds before this time. */
const earliest = Date.UTC(1990, 0, 1);
const dayMs = 24 * 60 * 60_000;

/** Languages whose month names are known. A word that names different months in different languages is not used. */
const languages = "en de de-AT fr es it pt nl da sv nb fi pl cs ru uk tr ro hu ca el".split(" ");
/** The months of nearly all feeds; usually no others are needed. */
const english = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** German, missing in all lists of abbreviations. */
const moreMonths: readonly (readonly [string, number])[] = [["mrz", 3]];

/** Offsets in hours east of Greenwich. If several zones share a name, the most common one. */
const zones = new Map(
  `
  -10 hst
  -9 akst
  -8 pst akdt
  -7 mst pdt
  -6 cst mdt
  -5 est cdt cot pet
  -4 ast edt clt
  -3.5 nst
  -3 adt brt art
  -2.5 ndt
  0 z ut utc gmt wet
  1 west bst cet mez wat
  2 cest mesz eet sast cat
  3 eest msk eat trt
  4 gst
  5 pkt
  5.5 ist
  7 ict wib
  8 hkt sgt pht awst
  9 jst kst
  9.5 acst
  10 aest
  10.5 acdt
  11 aedt
  12 nzst
  13 nzdt
  `
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [hours, ...names] = line.trim().split(" ");
      return names.map((name) => [name, Number(hours)] as const);
    }),
);

/** The order of day and month in numeric dates, where a date itself is ambiguous: "03/04/2020". */
export type DateOrder = "dayFirst" | "monthFirst";

const inNumbers = /(?<!\d)(\d{1,2})([/.-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})(?!\d)/;

/** The order in the dates of a feed; undefined when none of them tells, or they differ. */
export function orderOf(dates: readonly string[]): DateOrder | undefined {
  const orders = dates.flatMap((date) => {
    const [, one, , other] = inNumbers.exec(date) ?? [];
    if (Number(one) > 12) return "dayFirst";
    return Number(other) > 12 ? "monthFirst" : [];
  });
  const [first] = orders;
  return orders.every((order) => order === first) ? first : undefined;
}

/** A day, and the text around it. */
interface Day {
  year: number;
  month: number;
  day: number;
  after: string;
}

/**
 * Reads a date as people write it: RFC 822, ISO 8601, and variants. Accepts months in many languages, zone names,
 * two-digit years, missing seconds or times, trailing words, and seconds or milliseconds since 1970. Without a zone, or
 * with an unknown one, the date is UTC. A wrong date is worse than none.
 * @param order of the other dates beside it
 * @param now epoch ms
 * @returns epoch ms; null when it is not a date, or one before 1990, or after tomorrow
 */
export function readDate(written: string, order?: DateOrder, now = Date.now()): number | null {
  const text = folded(written.slice(0, maxCharacters))
    .replace(/[\s,]+/g, " ")
    .trim();
  const at = epochIn(text) ?? momentIn(text, order);
  return at !== undefined && at >= earliest && at <= now + dayMs ? at : null;
}

function epochIn(text: string): number | undefined {
  const [, seconds, milliseconds] = /^(\d{9,10})(?:\.\d+)?$|^(\d{12,13})$/.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000;
  return milliseconds === undefined ? undefined : Number(milliseconds);
}

function momentIn(text: string, order: DateOrder | undefined): number | undefined {
  const found = isoDay(text) ?? namedDay(text) ?? numericDay(text, order);
  if (found === undefined) return undefined;
  const { year, month, day, after } = found;
  const midnight = Date.UTC(year, month - 1, day);
  if (month < 1 || month > 12 || day < 1 || new Date(midnight).getUTCDate() !== day) return undefined;
  const time = timeIn(after);
  return time === undefined ? undefined : atZone(midnight + time.ms, time.after);
}

/** "2020-01-02", "2020/1/2", "20200102", "2020年1月2日". */
function isoDay(text: string): Day | undefined {
  const pattern = /(?<!\d)(\d{4})([-/.年]?)(\d{2}|(?<=\D)\d)[-/.月]?(\d{2}|(?<=\D)\d)(?!\d)日?t?/;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [whole, year, , month, day] = match;
  return { year: Number(year), month: Number(month), day: Number(day), after: text.slice(match.index + whole.length) };
}

/**
 * "2 Jan 2020", "2. Januar 2020", "2 de enero de 2020", "2-Jan-20", "2020 Jan 2", "January 2nd, 2020", "Jan 2 03:04:05
 * CET 2020".
 */
function namedDay(text: string): Day | undefined {
  const dayFirst =
    /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|o)?[. /-]*(?:de |d['’]|of )?(\p{L}{3,})\.?[ /-]*(?:del? |of )?(\d{4}|\d{2}(?!\d|:))(?!\d)/gu;
  for (const { 0: whole, 1: day, 2: name = "", 3: year = "", index } of text.matchAll(dayFirst)) {
    const month = monthNamed(name);
    if (month !== undefined) return { year: yearOf(year), month, day: Number(day), after: text.slice(index + whole.length) };
  }
  const yearFirst = /(?<!\d)(\d{4})[. /-]+(\p{L}{3,})\.?[ /-](\d{1,2})(?!\d|:)/gu;
  for (const { 0: whole, 1: year, 2: name = "", 3: day, index } of text.matchAll(yearFirst)) {
    const month = monthNamed(name);
    if (month !== undefined) return { year: Number(year), month, day: Number(day), after: text.slice(index + whole.length) };
  }
  const monthFirst = /(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th)?(?!\d|:)(.*?)(?<![\d:+-])(\d{4})(?!\d)(.*)$/gu;
  for (const [, name = "", day, between = "", year, after = ""] of text.matchAll(monthFirst)) {
    const month = monthNamed(name);
    if (month !== undefined) return { year: Number(year), month, day: Number(day), after: between + after };
  }
  return undefined;
}

/** "31.12.2020", "31/12/2020", "12/31/2020". */
function numericDay(text: string, order: DateOrder | undefined): Day | undefined {
  const match = inNumbers.exec(text);
  if (match === null) return undefined;
  const [whole, one, mark, other, year = ""] = match;
  const own = orderOf([whole]) ?? (mark === "." || one === other ? "dayFirst" : order);
  if (own === undefined) return undefined;
  const [day, month] = own === "dayFirst" ? [one, other] : [other, one];
  return { year: yearOf(year), month: Number(month), day: Number(day), after: text.slice(match.index + whole.length) };
}

/** Two digits mean 1950 to 2049 (RFC 5322, section 4.3). */
function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

/** The time of day, and the text after it. @returns undefined for an impossible time; midnight without a time */
function timeIn(text: string): { ms: number; after: string } | undefined {
  const pattern = /(?<!\d)(\d{1,2})(?:[:.h]| h )(\d{2})(?:[:.](\d{2})(?:[.,:](\d{1,9}))?)?(?!\d)(?: ?([ap])\.?m\b\.?)?/;
  const match =
    pattern.exec(text) ?? /^(\d{2})(\d{2})(\d{2})?(?!\d)/.exec(text) ?? /(?<!\d)(\d{1,2})()()() ?([ap])\.?m\b\.?/.exec(text);
  if (match === null) return { ms: 0, after: text };
  const [whole, written, minutes, seconds = "0", fraction = "0", half] = match;
  const hours = half === undefined ? Number(written) : (Number(written) % 12) + (half === "p" ? 12 : 0);
  if (hours > 24 || Number(minutes) > 59 || Number(seconds) > 60) return undefined;
  const ms = Math.floor(Number(`0.${fraction}`) * 1000) + 1000 * (Number(seconds) + 60 * (Number(minutes) + 60 * hours));
  return { ms, after: text.slice(match.index + whole.length) };
}

/**
 * @param local epoch ms, as if it were UTC
 * @param text begins with the zone: "+0100", "GMT+1", "CEST", "(CET)", "Europe/Berlin", "Pacific Standard Time"
 */
function atZone(local: number, text: string): number {
  const [, name, sign, hours, minutes = "0"] =
    /^[ ([]*([a-z]+(?:_|\/[a-z_]+)*)? ?(?:([+\-−])(\d{1,2})(?::?(\d{2}))?(?!\d))?/.exec(text) ?? [];
  const isOffset = sign !== undefined && Number(hours) <= 14 && Number(minutes) < 60;
  if (isOffset) return local - (sign === "+" ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  if (name?.includes("/") === true) return local - offsetAt(local, name);
  const [words = ""] = /^[ (]*[a-z]+(?: [a-z]+)+ time\b/.exec(text) ?? [];
  const initials = words.match(/\b[a-z]/g)?.join("") ?? "";
  return local - (zones.get(name ?? "") ?? zones.get(initials) ?? 0) * 60 * 60_000;
}

/** Offset of an IANA zone at a local time (milliseconds); 0 for an unknown zone. */
function offsetAt(local: number, timeZone: string): number {
  const of = (at: number): number => {
    const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(at);
    const [, sign, hours, minutes] =
      /([+-])(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === "timeZoneName")?.value ?? "") ?? [];
    return sign === undefined ? 0 : (sign === "+" ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
  try {
    return of(local - of(local));
  } catch {
    return 0;
  }
}

let known: readonly (readonly [string, number])[] | undefined;

/** Month names, both in their form after a day and alone. */
function months(): readonly (readonly [string, number])[] {
  known ??= [
    ...languages.flatMap((language) =>
      (["short", "long"] as const).flatMap((month) =>
        [{ month }, { month, day: "numeric" } as const].flatMap((format) => {
          const parts = new Intl.DateTimeFormat(language, { ...format, timeZone: "UTC" });
          return Array.from({ length: 12 }, (_, at): readonly [string, number] => {
            const name = parts.formatToParts(Date.UTC(2020, at, 5)).find(({ type }) => type === "month")?.value ?? "";
            return [folded(name).replace(/\P{L}/gu, ""), at + 1];
          });
        }),
      ),
    ),
    ...moreMonths,
  ].filter(([name]) => name.length >= 3);
  return known;
}

const named = new Map<string, number | undefined>();

/** The month of a name or of its beginning: "sept", "décemb". @param name folded, of at least three letters */
function monthNamed(name: string): number | undefined {
  const own = english.indexOf(name) + 1;
  if (own > 0) return own;
  if (named.has(name)) return named.get(name);
  const found = new Set(months().flatMap(([one, month]) => (one.startsWith(name) ? month : [])));
  const exact = new Set(months().flatMap(([one, month]) => (one === name ? month : [])));
  const [month, ...others] = exact.size === 1 ? exact : found;
  const only = others.length === 0 ? month : undefined;
  if (named.size < 1000) named.set(name, only);
  return only;
}
