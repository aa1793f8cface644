import type { AtomFeed, RssFeed } from "feedsmith";
import { largest } from "#contract/lists.ts";
import { clean, escaped } from "#contract/rendering.ts";
import { withImagesAt } from "#server/blog/image-address.ts";
import type { NamedPostRow } from "#server/blog/queries.ts";
import { coverOf, topicsOf } from "#server/blog/view.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Threads } from "#server/threads/threads.ts";
import { createCache } from "./cache.ts";
import { feedHtmlTasks } from "./feed-html-tasks.ts";
import { blogDescription } from "./social.ts";

/** Posts in a feed. */
export const feedPosts = 20;
/** A longer text is replaced by its summary (characters). */
const maxContent = 60_000;
const rendered = createCache<string>(100);
/**
 * The ms after which a text that is still rendering is replaced by its summary; the first one also loads the renderer.
 */
const renderMs = 20_000;

export interface FeedAddresses {
  /** The page's origin. */
  page: string;
  /** The API's, where the pictures are; undefined: unknown. */
  api: string | undefined;
  /** Path and query of the feed itself. */
  self: string;
  language: string | undefined;
  /** The caller's network. */
  person: string;
}

/** @param rows published posts, the newest first */
export async function makeFeed(
  kind: "rss" | "atom",
  rows: readonly NamedPostRow[],
  addresses: FeedAddresses,
  threads: Threads,
): Promise<string> {
  const { api } = addresses;
  const posts: Post[] = [];
  for (const row of rows) posts.push({ row, content: coverHtml(row, api) + (await contentOf(row, addresses, threads)) });
  const updated = new Date(Math.max(0, largest(rows.map(({ updated_at }) => updated_at))));
  // Loaded for the first feed: the library takes a tenth of a second and 20 MB.
  const { generateAtomFeed, generateRssFeed } = await import("feedsmith");
  return kind === "rss"
    ? generateRssFeed(rssFeed(posts, updated, addresses))
    : generateAtomFeed(atomFeed(posts, updated, addresses));
}

interface Post {
  row: NamedPostRow;
  /** HTML. */
  content: string;
}

const idOf = (row: NamedPostRow) => `urn:uuid:${row.id}`;
const authorOf = (row: NamedPostRow) => clean(row.author ?? "Parlance");
const publishedOf = (row: NamedPostRow) => new Date(row.published_at ?? row.created_at);

function rssFeed(
  posts: readonly Post[],
  updated: Date,
  { page, self, language = "en" }: FeedAddresses,
): RssFeed.Feed<Date, true> {
  return {
    title: "Parlance",
    link: `${page}/blog`,
    description: blogDescription,
    language,
    lastBuildDate: updated,
    generator: "Parlance",
    atom: { links: [{ href: page + self, rel: "self", type: "application/rss+xml" }] },
    items: posts.map(({ row, content }) => ({
      title: clean(row.title),
      link: `${page}/blog/${row.slug}`,
      guid: { value: idOf(row), isPermaLink: false },
      description: escaped(row.summary),
      content: { encoded: content },
      pubDate: publishedOf(row),
      categories: topicsOf(row).map((topic) => ({ name: clean(topic) })),
      // RSS wants an e-mail address for an author.
      dc: { creators: [authorOf(row)] },
    })),
  };
}

function atomFeed(posts: readonly Post[], updated: Date, { page, self }: FeedAddresses): AtomFeed.Feed<Date, true> {
  const html = (value: string): AtomFeed.Text => ({ value, type: "html" });
  return {
    id: `${page}/blog`,
    title: { value: "Parlance" },
    subtitle: { value: blogDescription },
    icon: `${page}/favicon.svg`,
    links: [
      { href: `${page}/blog`, rel: "alternate" },
      { href: page + self, rel: "self" },
    ],
    updated,
    generator: { text: "Parlance" },
    entries: posts.map(({ row, content }) => ({
      id: idOf(row),
      // Some readers take every title for HTML.
      title: html(escaped(row.title)),
      links: [{ href: `${page}/blog/${row.slug}` }],
      summary: html(escaped(row.summary)),
      content: html(content),
      published: publishedOf(row),
      updated: new Date(row.updated_at),
      categories: topicsOf(row).map((topic) => ({ term: clean(topic), label: clean(topic) })),
      authors: [{ name: authorOf(row) }],
    })),
  };
}

function coverHtml(row: NamedPostRow, api: string | undefined): string {
  const cover = coverOf(row);
  if (cover === null) return "";
  const { url, width, height, alt } = cover;
  return `<p><img src="${escaped(withImagesAt(url, api))}" alt="${escaped(alt)}" width="${width}" height="${height}"/></p>\n`;
}

/** The text as HTML, rendered once. */
function contentOf(row: NamedPostRow, addresses: FeedAddresses, threads: Threads): Promise<string> {
  const { page, api } = addresses;
  return rendered.get([row.id, row.revision, page, api].join(" "), () => render(row, addresses, threads));
}

async function render(row: NamedPostRow, { page, api, person }: FeedAddresses, threads: Threads): Promise<string> {
  const summary = `<p>${escaped(row.summary)}</p>`;
  if (row.content.length > maxContent) return summary;
  try {
    const input = { markdown: withImagesAt(row.content, api), page };
    return clean(await threads.run(feedHtmlTasks.feedHtml, input, { person, timeoutMs: renderMs }));
  } catch (error) {
    if (error instanceof Problem && error.code === "tooLarge") return summary;
    throw error;
  }
}
