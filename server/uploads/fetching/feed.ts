import { createHash } from "node:crypto";
import { decodeHTML } from "entities";
import { parseFeed, parseJsonFeed } from "feedsmith";
import { Problem } from "#server/errors/problem.ts";
import { recordingName } from "./feed-address.ts";
import { type DateOrder, orderOf, readDate } from "./feed-date.ts";
import { decodeFeed, hasDocumentType } from "./feed-text.ts";

/** An episode as listed in a feed. */
export interface Entry {
  /** Hashes of its guid ("" without one) and of its recording's name, separated by a point. */
  key: string;
  /** One line; "" when it has none. */
  title: string;
  /** URL of its recording; absolute. */
  url: string;
  /** Epoch ms; null without a readable date. */
  publishedAt: number | null;
  /** The stated duration. */
  seconds: number | null;
}

/** An entry without its key. */
type Nameless = Omit<Entry, "key"> & { guid: string };

export interface ParsedFeed {
  /** One line; "" when it has none. */
  title: string;
  /** The newest first. */
  entries: Entry[];
}

/** Number of newest episodes that are read. */
export const maxEntries = 1000;
/** A feed with more items is refused: the longest-running podcasts have some thousands. */
const maxItems = 20_000;
const titleCharacters = 300;
const urlCharacters = 4096;

interface Raw {
  id: string | undefined;
  title: string | undefined;
  /** The first readable one is its date. */
  dates: readonly (string | undefined)[];
  seconds: number | undefined;
  files: readonly { url?: string | undefined; type?: string | undefined }[];
}

/**
 * Reads an RSS, Atom or JSON feed, which may be malformed or hostile. It can take seconds: call it in a thread.
 * @param base for resolving its URLs
 * @param type Content-Type of the response
 * @throws Problem `notAudio` when it is not a feed, `tooLarge`
 */
export function readEntries(document: Uint8Array, base: string, type = ""): ParsedFeed {
  const text = decodeFeed(document, type);
  // A feed needs no document type, whose entities could grow without end, or read files.
  if (!isJson(text) && hasDocumentType(text)) throw noFeed();
  if (countItems(text) > maxItems) throw new Problem("tooLarge");
  const { title, items } = itemsIn(text);
  const order = orderOf(items.flatMap(({ dates }) => dates.filter((date) => date !== undefined)));
  const entries = new Map<string, Entry>();
  for (const entry of withKeys(items.flatMap((raw) => entryOf(raw, base, order) ?? []))) {
    if (!entries.has(entry.key)) entries.set(entry.key, entry);
  }
  return { title: lineOf(title), entries: newestFirst([...entries.values()]).slice(0, maxEntries) };
}

/**
 * Names episodes. If only token-like parameters distinguish the URLs of different episodes, the whole URL is the name:
 * fetching an episode twice is better than losing one.
 */
function withKeys(found: readonly Nameless[]): Entry[] {
  const byName = Map.groupBy(found, ({ url }) => recordingName(url));
  const isOne = (same: readonly Nameless[]) =>
    same.every(
      ({ guid, title, publishedAt }) => guid === same[0]?.guid && title === same[0].title && publishedAt === same[0].publishedAt,
    );
  const ambiguous = new Set([...byName].flatMap(([name, same]) => (isOne(same) ? [] : name)));
  return found.map(({ guid, ...entry }) => {
    const name = recordingName(entry.url);
    const recording = ambiguous.has(name) ? entry.url.replace(/^https?:/, "") : name;
    return { ...entry, key: `${guid === "" ? "" : hashOf(guid)}.${hashOf(recording)}` };
  });
}

/**
 * Sorts the entries of a feed, which may begin with the newest or the oldest. An entry without a date stays where it is
 * among the others.
 */
function newestFirst(entries: readonly Entry[]): Entry[] {
  const dates = entries.flatMap(({ publishedAt }) => publishedAt ?? []);
  const isOldestFirst = (dates[0] ?? 0) < (dates.at(-1) ?? 0);
  let last = Number.NEGATIVE_INFINITY;
  const oldestFirst = (isOldestFirst ? entries : entries.toReversed()).map((entry) => {
    last = entry.publishedAt ?? last;
    return { entry, at: last };
  });
  return oldestFirst
    .reverse()
    .sort((one, other) => (one.at === other.at ? 0 : other.at - one.at))
    .map(({ entry }) => entry);
}

const noFeed = (cause?: unknown) => new Problem("notAudio", "No feed with recordings was found at this address.", { cause });

function countItems(text: string): number {
  let count = 0;
  for (const opening of ["<item", "<entry"]) {
    for (let at = text.indexOf(opening); at !== -1 && count <= maxItems; at = text.indexOf(opening, at + 1)) count++;
  }
  return count;
}

const isJson = (text: string): boolean => text.trimStart().startsWith("{");

function parsed(text: string) {
  try {
    // JSON may contain any markup in its texts.
    return isJson(text) ? { format: "json" as const, feed: parseJsonFeed(text) } : parseFeed(text);
  } catch (cause) {
    throw noFeed(cause);
  }
}

function itemsIn(text: string): { title: string | undefined; items: Raw[] } {
  const { format, feed } = parsed(text);
  if (format === "rss") {
    const items = (feed.items ?? []).map(({ guid, title, pubDate, dc, atom, itunes, enclosures }) => ({
      id: guid?.value,
      title,
      dates: [pubDate, ...(dc?.dates ?? []), atom?.published, atom?.updated],
      seconds: itunes?.duration,
      files: enclosures ?? [],
    }));
    return { title: feed.title, items };
  }
  if (format === "atom") {
    const items = (feed.entries ?? []).map(({ id, title, published, updated, itunes, links }) => ({
      id,
      title: title?.value,
      dates: [published, updated],
      seconds: itunes?.duration,
      files: (links ?? []).flatMap(({ rel, href, type }) => (rel === "enclosure" ? [{ url: href, type }] : [])),
    }));
    return { title: feed.title?.value, items };
  }
  if (format === "json") {
    const items = (feed.items ?? []).map(({ id, title, date_published, date_modified, attachments }) => ({
      id,
      title,
      dates: [date_published, date_modified],
      seconds: attachments?.[0]?.duration_in_seconds,
      files: (attachments ?? []).map(({ url, mime_type }) => ({ url, type: mime_type })),
    }));
    return { title: feed.title, items };
  }
  // RDF feeds have no recordings.
  throw noFeed();
}

/** @returns undefined for an item without a recording */
function entryOf({ id: guid = "", title, dates, seconds, files }: Raw, base: string, order?: DateOrder): Nameless | undefined {
  const url = files.map((file) => recordingOf(file, base)).find((found) => found !== undefined);
  if (url === undefined) return undefined;
  const published = dates.map((date) => (date === undefined ? null : readDate(date, order)));
  return {
    guid,
    title: lineOf(title),
    url,
    publishedAt: published.find((at) => at !== null) ?? null,
    seconds: seconds !== undefined && seconds > 0 && seconds < 1e6 ? Math.round(seconds) : null,
  };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The URL of a file that may be a recording. */
function recordingOf({ url, type = "" }: Raw["files"][number], base: string): string | undefined {
  if (url === undefined || /^(?:image|text)\/|\/pdf$/i.test(type) || !URL.canParse(url, base)) return undefined;
  const { href, protocol } = new URL(url, base);
  return /^https?:$/.test(protocol) && href.length <= urlCharacters ? href : undefined;
}

/** HTML tags in titles. Other text in angle brackets is part of the title. */
const tags = /<\/?(?:a|b|br|cite|div|em|font|h[1-6]|i|p|s|small|span|strong|su[bp]|u|wbr)(?:\s[^<>]*)?\/?>/gi;

/**
 * A text on one line, as a database can store it: without HTML, which some titles contain, control characters and lone
 * surrogates.
 */
function lineOf(text = ""): string {
  const line = decodeHTML(text.slice(0, 10 * titleCharacters).replace(tags, "")).toWellFormed();
  return [...line.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, titleCharacters).join("").trim();
}
