import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import * as v from "valibot";
import { reservedSlugs, Slug } from "#contract/index.ts";
import { newestPosts, publishedAddresses } from "#server/blog/list-queries.ts";
import { findPublishedBySlug } from "#server/blog/queries.ts";
import { FeedQuery } from "#server/blog/query-params.ts";
import { atApi, postView } from "#server/blog/view.ts";
import type { Db } from "#server/db/open.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Threads } from "#server/threads/threads.ts";
import { robots, sitemap, sitemapPosts } from "./crawlers.ts";
import { feedPosts, makeFeed } from "./feeds.ts";
import { headOfBlog, headOfNothing, headOfPost, type PageHead } from "./social.ts";

interface Parts {
  config: { trustProxy: TrustedProxies };
  db: Db;
  log: Log;
  origins: Origins;
  threads: Threads;
}

/** Feeds of the blog, sitemap and robots.txt. */
export function blogPages({ config, db, origins, threads }: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const addressesOf = (c: Context<AppEnv>) => ({
    page: origins.pageFor(c.req.header("host")),
    api: origins.apiFor(c.req.header("host")),
  });

  for (const kind of ["rss", "atom"] as const) {
    app.get(`/blog/${kind}.xml`, etag(), async (c) => {
      const query = v.safeParse(FeedQuery, c.req.query());
      if (!query.success) return c.text(`${v.getDotPath(query.issues[0]) ?? "query"}: ${query.issues[0].message}\n`, 400);
      const rows = await newestPosts(db, query.output, feedPosts);
      const { search } = new URL(c.req.url);
      const person = addressOf(c, config.trustProxy);
      const addresses = { ...addressesOf(c), self: `/blog/${kind}.xml${search}`, language: query.output.language, person };
      return sendText(c, await makeFeed(kind, rows, addresses, threads), `application/${kind}+xml; charset=utf-8`);
    });
  }
  app.get("/sitemap.xml", etag(), async (c) => {
    const posts = await publishedAddresses(db, sitemapPosts);
    return sendText(c, sitemap(addressesOf(c).page, posts), "application/xml; charset=utf-8");
  });
  app.get("/robots.txt", etag(), (c) => sendText(c, robots(addressesOf(c).page), "text/plain; charset=utf-8"));
  return app;
}

function sendText(c: Context, text: string, type: string): Response {
  return c.body(text, 200, { "Cache-Control": "no-cache", Vary: "Host", "Content-Type": type });
}

/** The form of index.html for a blog address. */
export interface BlogPage {
  head: PageHead;
  status: 200 | 404;
  /** The redirect target of a previous slug. */
  movedTo?: string;
}

/** @returns undefined for other addresses */
export async function blogPageAt(
  { db, origins, log }: Parts,
  path: string,
  host: string | undefined,
): Promise<BlogPage | undefined> {
  const [, root, slug = "", ...more] = path.split("/");
  if (root !== "blog" || more.join("") !== "" || reservedSlugs.has(slug)) return undefined;
  const page = origins.pageFor(host);
  if (slug === "") return { head: headOfBlog(page), status: 200 };
  try {
    const row = v.is(Slug, slug) ? await findPublishedBySlug(db, slug) : undefined;
    if (row === undefined) return { head: headOfNothing(), status: 404 };
    const head = headOfPost(atApi(postView(row, []), origins.apiFor(host)), page);
    return { head, status: 200, ...(row.slug === slug ? {} : { movedTo: `${page}/blog/${row.slug}` }) };
  } catch (error) {
    // Falls back to the plain index.html: the page then reports the error itself.
    log.error("blog page failed", describeError(error));
    return undefined;
  }
}
