import { createHash } from "node:crypto";
import { parseFeed } from "feedsmith";
import { Problem } from "#server/errors/problem.ts";

/** An episode as a feed has it. */
export interface Entry {
  /** The same in each version of the feed: a hash of its guid, without one of its recording's address. */
  key: string;
  /** One line; "" when it has none. */
  title: string;
  /** Of its recording; absolute. */
  url: string;
  /** Epoch ms; null when it says none that can be read. */
  publishedAt: number | null;
  /** How long it says to be. */
  seconds: number | null;
}

export interface ParsedFeed {
  /** One line; "" when it has none. */
  title: string;
  /** The newest first. */
  entries: Entry[];
}

/** So many of the newest episodes are looked at. */
export const maxEntries = 1000;
/** A feed with more items than this is refused: the longest-running podcasts have some thousands. */
const maxItems = 20_000;
const titleCharacters = 300;
const urlCharacters = 4096;

interface Raw {
  id: string | undefined;
  title: string | undefined;
  date: string | undefined;
  seconds: number | undefined;
  files: readonly { url?: string | undefined; type?: string | undefined }[];
}

/**
 * Reads an RSS, Atom or JSON feed, whatever it has been given. Takes up to seconds for a hostile one: call it in a thread.
 * @param base against which its addresses are resolved
 * @throws Problem `notAudio` when it is no feed, `tooLarge`
 */
export function readEntries(document: Uint8Array, base: string): ParsedFeed {
  const text = decoderFor(document).decode(document);
  // Nothing in a feed needs a document type, whose entities could grow without end, or name files.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text.slice(0, text.search(/<(?:rss|feed|rdf:RDF)[\s>]/i)))) throw noFeed();
  if (countItems(text) > maxItems) throw new Problem("tooLarge");
  const { title, items } = itemsIn(text);
  const entries = new Map<string, Entry>();
  for (const raw of items) {
    const entry = entryOf(raw, base);
    if (entry !== undefined && !entries.has(entry.key)) entries.set(entry.key, entry);
  }
  // Without dates they stay as they stand: feeds begin with the newest.
  const sorted = [...entries.values()].sort((one, other) => (other.publishedAt ?? 0) - (one.publishedAt ?? 0));
  return { title: lineOf(title), entries: sorted.slice(0, maxEntries) };
}

const noFeed = (cause?: unknown) => new Problem("notAudio", "There is no feed with recordings at this address.", { cause });

function countItems(text: string): number {
  let count = 0;
  for (const opening of ["<item", "<entry"]) {
    for (let at = text.indexOf(opening); at !== -1 && count <= maxItems; at = text.indexOf(opening, at + 1)) count++;
  }
  return count;
}

function parsed(text: string) {
  try {
    return parseFeed(text);
  } catch (cause) {
    throw noFeed(cause);
  }
}

function itemsIn(text: string): { title: string | undefined; items: Raw[] } {
  const { format, feed } = parsed(text);
  if (format === "rss") {
    const items = (feed.items ?? []).map(({ guid, title, pubDate, itunes, enclosures }) => ({
      id: guid?.value,
      title,
      date: pubDate,
      seconds: itunes?.duration,
      files: enclosures ?? [],
    }));
    return { title: feed.title, items };
  }
  if (format === "atom") {
    const items = (feed.entries ?? []).map(({ id, title, published, updated, itunes, links }) => ({
      id,
      title: title?.value,
      date: published ?? updated,
      seconds: itunes?.duration,
      files: (links ?? []).flatMap(({ rel, href, type }) => (rel === "enclosure" ? [{ url: href, type }] : [])),
    }));
    return { title: feed.title?.value, items };
  }
  if (format === "json") {
    const items = (feed.items ?? []).map(({ id, title, date_published, attachments }) => ({
      id,
      title,
      date: date_published,
      seconds: attachments?.[0]?.duration_in_seconds,
      files: (attachments ?? []).map(({ url, mime_type }) => ({ url, type: mime_type })),
    }));
    return { title: feed.title, items };
  }
  // RDF has no recordings.
  throw noFeed();
}

/** @returns undefined for one without a recording */
function entryOf({ id, title, date, seconds, files }: Raw, base: string): Entry | undefined {
  const url = files.map((file) => recordingOf(file, base)).find((found) => found !== undefined);
  if (url === undefined) return undefined;
  const publishedAt = Date.parse(date ?? "");
  return {
    key: createHash("sha256")
      .update(id || url)
      .digest("hex"),
    title: lineOf(title),
    url,
    publishedAt: Number.isNaN(publishedAt) || publishedAt < 0 ? null : publishedAt,
    seconds: seconds !== undefined && seconds > 0 && seconds < 1e6 ? Math.round(seconds) : null,
  };
}

/** The address of a file that may be a recording. */
function recordingOf({ url, type = "" }: Raw["files"][number], base: string): string | undefined {
  if (url === undefined || /^(?:image|text)\/|\/pdf$/i.test(type) || !URL.canParse(url, base)) return undefined;
  const { href, protocol } = new URL(url, base);
  return /^https?:$/.test(protocol) && href.length <= urlCharacters ? href : undefined;
}

/** On one line, as a database stores it: without control characters and halves of characters. */
function lineOf(text = ""): string {
  const line = text.slice(0, 10 * titleCharacters).toWellFormed();
  return [...line.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()].slice(0, titleCharacters).join("").trim();
}

/** Where a document says how it is encoded (bytes). */
const headBytes = 1024;

/** Decodes a document of XML as its first bytes say; as UTF-8 when they don't, or say something unknown. */
function decoderFor(document: Uint8Array): TextDecoder {
  const head = new TextDecoder("latin1").decode(document.subarray(0, headBytes));
  const label = /^[^>]{0,200}encoding=["']([\w-]{1,40})["']/.exec(head)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
