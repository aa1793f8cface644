/** The newest episode of a podcast feed. */
export interface Episode {
  /** As written in the feed: may be relative. */
  url: string;
  /** "" when it has none. */
  title: string;
}

/** Whether a text starting with "<" is a feed (RSS, Atom), not a web page. @param head its first few thousand characters */
export function isFeed(head: string): boolean {
  return /<(?:rss|feed|rdf:RDF)[\s>]/i.test(head);
}

/**
 * Finds the newest episode with a recording: the latest by date; without dates, the first. The feed is untrusted: it is scanned
 * once, front to back, and nothing is expanded except XML's five predefined entities and character references.
 * @returns undefined when there is none
 */
export function newestEpisode(xml: string): Episode | undefined {
  let newest: (Episode & { at: number }) | undefined;
  for (const item of itemsOf(withoutSections(xml))) {
    const url = recordingOf(item);
    if (url === undefined) continue;
    const at = Date.parse(textOf(item, "pubDate") || textOf(item, "published") || textOf(item, "updated")) || 0;
    if (newest === undefined || at > newest.at) newest = { url, title: textOf(item, "title"), at };
  }
  return newest && { url: newest.url, title: newest.title };
}

/** The text between two markers, searched from `from`, and where it ends. */
function between(
  text: string,
  open: string,
  close: string,
  from: number,
): { start: number; inner: string; end: number } | undefined {
  const start = text.indexOf(open, from);
  const end = start === -1 ? -1 : text.indexOf(close, start + open.length);
  if (end === -1) return undefined;
  return { start, inner: text.slice(start + open.length, end), end: end + close.length };
}

/** Removes comments and turns CDATA into plain text, so that markup inside them is not taken for elements. */
function withoutSections(xml: string): string {
  const opening = /<!(?:\[CDATA\[|--)/g;
  let plainXml = "";
  let at = 0;
  for (let found = opening.exec(xml); found !== null; found = opening.exec(xml)) {
    const isComment = found[0] === "<!--";
    const close = isComment ? "-->" : "]]>";
    const end = xml.indexOf(close, opening.lastIndex);
    if (end === -1) break;
    plainXml += xml.slice(at, found.index);
    if (!isComment) plainXml += escaped(xml.slice(opening.lastIndex, end));
    at = end + close.length;
    opening.lastIndex = at;
  }
  return plainXml + xml.slice(at);
}

function* itemsOf(xml: string): Generator<string> {
  for (const name of ["item", "entry"]) {
    for (let at = 0; ; ) {
      const item = between(xml, `<${name}`, `</${name}>`, at);
      if (item === undefined) break;
      // "<items>" is a different element.
      if (/^[\s>]/.test(item.inner)) yield item.inner;
      at = item.end;
    }
  }
}

/** `<enclosure url="…">` (RSS) or `<link rel="enclosure" href="…">` (Atom), unless its type is neither audio nor video. */
function recordingOf(item: string): string | undefined {
  for (const [, name = "", attributes = ""] of item.matchAll(/<(enclosure|link)\s([^<>]{0,8192})>/gi)) {
    const given = attributesOf(attributes);
    const isLink = name.toLowerCase() === "link";
    if (isLink && given.get("rel") !== "enclosure") continue;
    const url = given.get(isLink ? "href" : "url");
    const type = given.get("type") ?? "";
    if (url !== undefined && url !== "" && !/^(?:image|text)\/|\/pdf$/i.test(type)) return url;
  }
  return undefined;
}

function attributesOf(text: string): Map<string, string> {
  const found = text.matchAll(/(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...found].map(([, name = "", double, single]) => [name.toLowerCase(), plain(double ?? single ?? "")]));
}

function textOf(item: string, name: string): string {
  const element = between(item, `<${name}>`, `</${name}>`, 0);
  return element === undefined ? "" : plain(element.inner);
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function plain(text: string): string {
  return text
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (all, hex, decimal, name) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? -1);
      if (name) return entities[String(name).toLowerCase()] ?? all;
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
