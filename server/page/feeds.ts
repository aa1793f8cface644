import { Feed } from "feed";
import { clean, escaped } from "#contract/rendering.ts";
import { withImagesAt } from "#server/blog/image-address.ts";
import type { NamedPostRow } from "#server/blog/queries.ts";
import { coverOf, topicsOf } from "#server/blog/view.ts";
import { Problem } from "#server/common/problem.ts";
import type { Threads } from "#server/threads/threads.ts";
import { feedHtmlWork } from "./feed-html-work.ts";
import { blogDescription } from "./social.ts";

/** Posts in a feed. */
export const feedPosts = 20;
/** A longer text is replaced by its summary (characters). */
const maxContent = 60_000;
/** Number of cached renderings. */
const maxKept = 100;
/** A text that takes longer to render is replaced by its summary (milliseconds; the first one loads the renderer, too). */
const renderMs = 20_000;

export interface FeedPlaces {
  /** The page's origin. */
  page: string;
  /** The API's, where the pictures are; undefined: unknown. */
  api: string | undefined;
  /** Path and query of the feed itself. */
  self: string;
  language: string | undefined;
}

/** @param rows published posts, the newest first */
export async function makeFeed(
  kind: "rss" | "atom",
  rows: readonly NamedPostRow[],
  places: FeedPlaces,
  threads: Threads,
): Promise<string> {
  const { page, api, self, language } = places;
  const newest = Math.max(0, ...rows.map(({ updated_at }) => updated_at));
  const feed = new Feed({
    title: "Parlance",
    description: blogDescription,
    id: `${page}/blog`,
    link: `${page}/blog`,
    language: language ?? "en",
    updated: new Date(newest),
    generator: "Parlance",
    favicon: `${page}/favicon.svg`,
    feedLinks: { [kind]: page + self },
  });
  for (const row of rows) {
    const author = clean(row.author ?? "Parlance");
    feed.addItem({
      // The library declares Atom titles as HTML, and RSS titles are plain text.
      title: kind === "atom" ? escaped(row.title) : clean(row.title),
      id: `urn:uuid:${row.id}`,
      guid: `urn:uuid:${row.id}`,
      link: `${page}/blog/${row.slug}`,
      description: escaped(row.summary),
      content: coverHtml(row, api) + (await contentOf(row, page, api, threads)),
      date: new Date(row.updated_at),
      published: new Date(row.published_at ?? row.created_at),
      category: topicsOf(row).map((topic) => ({ name: inAttribute(topic), term: inAttribute(topic) })),
      // RSS wants an e-mail address for an author.
      ...(kind === "atom"
        ? { author: [{ name: author }] }
        : { extensions: [{ name: "dc:creator", objects: { _text: author } }] }),
    });
  }
  return kind === "rss" ? feed.rss2() : feed.atom1();
}

/** The library lets "<" into attributes, where XML has none. */
const inAttribute = (text: string) => clean(text).replace(/[<>]/g, "");

function coverHtml(row: NamedPostRow, api: string | undefined): string {
  const cover = coverOf(row);
  if (cover === null) return "";
  const { url, width, height, alt } = cover;
  return `<p><img src="${escaped(withImagesAt(url, api))}" alt="${escaped(alt)}" width="${width}" height="${height}"/></p>\n`;
}

/** Renderings, pending and done. */
const rendered = new Map<string, Promise<string>>();

/** The text as HTML, rendered once. */
function contentOf(row: NamedPostRow, page: string, api: string | undefined, threads: Threads): Promise<string> {
  const key = [row.id, row.revision, page, api].join(" ");
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const html = render(row, page, api, threads);
  const [oldest] = rendered.keys();
  if (rendered.size >= maxKept && oldest !== undefined) rendered.delete(oldest);
  rendered.set(key, html);
  html.catch(() => rendered.delete(key));
  return html;
}

async function render(row: NamedPostRow, page: string, api: string | undefined, threads: Threads): Promise<string> {
  const summary = `<p>${escaped(row.summary)}</p>`;
  if (row.content.length > maxContent) return summary;
  try {
    return clean(await threads.runWithin(renderMs, feedHtmlWork.feedHtml, { markdown: withImagesAt(row.content, api), page }));
  } catch (error) {
    if (error instanceof Problem && error.code === "tooLarge") return summary;
    throw error;
  }
}
