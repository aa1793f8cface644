import { type Context, Hono } from "hono";
import { describeError, type Log } from "#server/common/log.ts";
import { Problem } from "#server/common/problem.ts";
import type { Storage } from "#server/common/storage.ts";
import type { Db } from "#server/db/open.ts";
import type { AppEnv } from "#server/http/env.ts";
import { limitRequests } from "#server/http/limits.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Threads } from "#server/threads/threads.ts";
import { type AnalyticsConfig, withAnalytics } from "./analytics.ts";
import { blogPageAt, blogPages } from "./blog-pages.ts";
import { createPageFiles, type PageFile, type PageFiles, pickEncoding } from "./files.ts";
import { pageHeaders } from "./headers.ts";
import { createLanguages, type LanguageParts, type Languages, withLanguages } from "./languages.ts";
import { withHead } from "./social.ts";

interface SiteParts extends LanguageParts {
  config: { analytics: AnalyticsConfig | undefined; tryOutPlaces: number };
  db: Db;
  log: Log;
  origins: Origins;
  threads: Threads;
  storage: Pick<Storage, "bucket">;
}

const notBuilt = "The page is not built yet. Run `npm run build` (npm start does it by itself), then reload.\n";

/**
 * Addresses below it may hold a token (SPEC.md section 2, the return from a federated sign-in): no request may carry it in a
 * referrer.
 */
const tokenPath = "/auth/";

/** The built page: its files, and index.html for every navigation. */
export function createSite(distDir: string, deps: SiteParts): Hono<AppEnv> {
  const { origins } = deps;
  const { analytics } = deps.config;
  const elsewhere = { analytics, files: deps.storage.bucket?.publicOrigin };
  const files = createPageFiles(distDir);
  const languages = createLanguages(deps);
  const app = new Hono<AppEnv>();
  app.onError((error, c) => {
    if (error instanceof Problem) return c.text(`${error.message}\n`, error.status);
    deps.log.error("page failed", { path: c.req.path, ...describeError(error) });
    return c.text("Something went wrong on the server.\n", 500);
  });
  app.use(limitRequests(), async (c, next) => {
    await next();
    const headers = pageHeaders(origins.apiFor(c.req.header("host")), origins.secure, elsewhere);
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    if (c.req.path.startsWith(tokenPath)) c.res.headers.set("Referrer-Policy", "no-referrer");
  });
  app.route("/", blogPages(deps));
  app.get("*", async (c) => {
    const path = decodePath(c.req.path);
    const file = path === undefined || path.endsWith("/") || path === "/index.html" ? undefined : await files.find(path);
    if (file !== undefined) return sendFile(c, file, cacheFor(c.req.path));
    if (path !== "/" && !isNavigation(c)) return c.text("Not found\n", 404);
    return sendIndex(c, files, { ...deps, languages }, path);
  });
  app.all("*", (c) => c.text("Method not allowed\n", 405, { Allow: "GET, HEAD" }));
  return app;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A navigation, not a request for a missing script or style. */
function isNavigation(c: Context): boolean {
  if (/^\/(assets|locales)\//.test(c.req.path)) return false;
  const mode = c.req.header("sec-fetch-mode");
  if (mode !== undefined) return mode === "navigate";
  // Crawlers and link previews often send no Accept header.
  return /^\/blog(\/|$)/.test(c.req.path) || (c.req.header("accept") ?? "").includes("text/html");
}

/** Vite puts a hash of the content into the names under /assets/: those never change. */
function cacheFor(path: string): string {
  return path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}

async function sendFile(c: Context, file: PageFile, cache: string): Promise<Response> {
  const encoding = file.compressible ? pickEncoding(c.req.header("accept-encoding")) : "identity";
  const tag = `"${file.tag}-${encoding}"`;
  c.header("Cache-Control", cache);
  c.header("ETag", tag);
  if (file.compressible) c.header("Vary", "Accept-Encoding");
  if (c.req.header("if-none-match") === tag) return c.body(null, 304);
  if (encoding !== "identity") c.header("Content-Encoding", encoding);
  c.header("Content-Type", file.type);
  return c.body(new Uint8Array(await file.encoded(encoding)));
}

type IndexParts = SiteParts & { languages(): Languages };

/**
 * Sends index.html with the API's address, which depends on the host of the request, with the languages of this moment, and with the head
 * of the page at this path.
 */
async function sendIndex(c: Context, files: PageFiles, deps: IndexParts, path: string | undefined): Promise<Response> {
  const index = await files.find("/index.html");
  if (index === undefined) return c.text(notBuilt, 503);
  c.header("Cache-Control", "no-cache");
  c.header("Vary", "Host");
  const host = c.req.header("host");
  const blog = path === undefined ? undefined : await blogPageAt(deps, path, host);
  if (blog?.movedTo !== undefined) return c.redirect(blog.movedTo + new URL(c.req.url).search, 301);
  const api = deps.origins.apiFor(host);
  const plain = withLanguages(withAnalytics(index.bytes.toString("utf8"), deps.config.analytics), deps.languages());
  const html = blog === undefined ? plain : withHead(plain, blog.head);
  const withApi = api === undefined ? html : html.replace(/(<meta name="parlance-api" content=")"/, `$1${api}"`);
  return c.html(withApi, blog?.status ?? 200);
}
