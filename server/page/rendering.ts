import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { reservedSlugs, Slug } from "#contract/index.ts";
import { RenderedPages } from "#contract/rendering.ts";
import { BlogQuery, PopularQuery } from "#server/blog/query-params.ts";
import { listBlog, popularBlog, readPost } from "#server/blog/reading.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { check } from "#server/http/body.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { shortMs } from "#server/threads/queues.ts";
import type { Threads } from "#server/threads/threads.ts";
import { createCache } from "./cache.ts";
import { type Rendering, renderingTasks } from "./rendering-tasks.ts";
import type { Visitor } from "./visitors.ts";

/** The maximum number of cached documents. */
const maxEntries = 200;
/** The ms after which a page is sent that renders itself. The first rendering also loads the renderer. */
const timeoutMs = 1_000;
/** Longer posts (characters) are rendered by the page itself. */
const maxPost = 200_000;

interface Parts {
  db: Db;
  log: Log;
  threads: Threads;
}

/** A request for a page. */
interface PageRequest {
  /** The decoded path of the address. */
  path: string;
  /** The query with its question mark, or "". */
  search: string;
  /** The page's origin, and the API's if it is known. */
  origin: string;
  api: string | undefined;
  /** The server's own properties: contents of `<meta name="parlance-…">`. */
  facts: Readonly<Record<string, string>>;
  /** The caller's network. */
  person: string;
}

/** Renders visitors' pages to HTML, in a thread, once for all who see the same. */
export interface PageRenderer {
  /** @returns the document; undefined for a page that renders itself in the browser */
  find(request: PageRequest, visitor: Visitor): Promise<string | undefined>;
}

/** @param distDir the built page's folder */
export function createPageRenderer(distDir: string, { db, log, threads }: Parts): PageRenderer {
  const documents = createCache<string | undefined>(maxEntries);
  /** The API's paths that a page needs, by its address and language. */
  const needs = createCache<readonly string[]>(maxEntries);

  const run = (rendering: Rendering, person: string) =>
    threads.run(renderingTasks.renderDocument, rendering, { person, timeoutMs: shortMs });

  const needsOf = (key: string, rendering: Rendering, person: string) =>
    needs.get(key, async () => {
      const first = await run(rendering, person);
      return "needs" in first ? first.needs : [];
    });

  const pages = createCache<v.InferOutput<typeof RenderedPages>>(1);
  /** undefined: there is no build. */
  const pagesOf = async () => {
    const file = join(distDir, "rendering", "pages.json");
    const built = await stat(file).catch(() => undefined);
    if (built === undefined) return undefined;
    return pages.get(String(built.mtimeMs), async () => v.parse(RenderedPages, JSON.parse(await readFile(file, "utf8"))));
  };

  const render = async ({ path, search, origin, api, facts, person }: PageRequest, { language, locale }: Visitor) => {
    const build = await pagesOf();
    const route = routeOf(path);
    const sheets = build?.sheets[route];
    const href = hrefOf(route, path, search);
    if (build === undefined || sheets === undefined || href === undefined) return undefined;
    const { program } = build;
    const visit = { href, origin, language, locale, facts, answers: {} };
    const key = JSON.stringify([program, visit]);
    const answers: Record<string, unknown> = {};
    if (route.startsWith("/blog")) {
      const rendering = { distDir, program, visit, sheets };
      for (const need of await needsOf(JSON.stringify([program, href, language]), rendering, person)) {
        answers[need] = await answerOf(db, need, api);
      }
    }
    const json = JSON.stringify(answers);
    if (json.length > maxPost) return undefined;
    return documents.get(key + json, async () => {
      const done = await run({ distDir, program, visit: { ...visit, answers }, sheets }, person);
      return "document" in done ? done.document : undefined;
    });
  };

  return {
    find: async (request, visitor) => {
      const failed = (error: unknown) => {
        // A client above its limit gets pages that render themselves.
        if (error instanceof Problem && error.code === "tooManyAtOnce") return undefined;
        log.error("page not rendered", { path: request.path, ...describeError(error) });
      };
      const rendering = render(request, visitor).catch(failed);
      const timeout = Promise.withResolvers<undefined>();
      const timer = setTimeout(timeout.resolve, timeoutMs, undefined);
      const document = await Promise.race([rendering, timeout.promise]);
      clearTimeout(timer);
      return document ?? undefined;
    },
  };
}

/** A post's address is its route's; the blog's other pages ("/blog/admin") are of people who are signed in. */
function routeOf(path: string): string {
  const slug = /^\/blog\/([^/]+)$/.exec(path)?.[1];
  return slug === undefined || reservedSlugs.has(slug) ? path : "/blog/$slug";
}

/** The part of the address that a page's HTML depends on. undefined: an unusual address, which is not rendered here. */
function hrefOf(route: string, path: string, search: string): string | undefined {
  const params = new URLSearchParams(search);
  params.delete("lng");
  const names = [...params.keys()];
  if (route === "/blog") {
    const known = names.every((name) => ["page", "topics", "language", "generated"].includes(name));
    return known ? withSearch(path, params) : undefined;
  }
  if (route !== "/signin" && route !== "/signup") return path;
  const isPlan = /^$|^plan=premium&interval=(year|month)$/.test(params.toString());
  return isPlan ? withSearch(path, params) : undefined;
}

const withSearch = (path: string, params: URLSearchParams) => (params.size === 0 ? path : `${path}?${params}`);

/**
 * The API's answer to a GET of this path.
 * @throws Problem
 */
async function answerOf(db: Db, path: string, api: string | undefined): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, "http://api.invalid");
  const query = Object.fromEntries(searchParams);
  if (pathname === "/blog") {
    const { filter, page } = check(BlogQuery, query);
    return listBlog(db, filter, page, api);
  }
  if (pathname === "/blog/popular") return popularBlog(db, check(PopularQuery, query).limit, api);
  return readPost(db, v.parse(Slug, decodeURIComponent(pathname.replace("/blog/", ""))), api);
}
