import { type Context, Hono } from "hono";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import { limitRequests, streamsBody } from "#server/http/limits.ts";
import { matchesETag } from "#server/http/matches-etag.ts";
import type { Origins } from "#server/http/origins.ts";
import { sendRange } from "#server/http/send-range.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Threads } from "#server/threads/threads.ts";
import { type AnalyticsConfig, analyticsFacts, withAnalytics } from "./analytics.ts";
import { blogPageAt, blogPages } from "./blog-pages.ts";
import { type Cache, createCache } from "./cache.ts";
import { compress, createPageFiles, type LargeFile, type PageFile, type PageFiles, pickEncoding } from "./files.ts";
import { inlineScripts, pageHeaders } from "./headers.ts";
import { createLanguages, type LanguageParts, type Languages, languageFacts, withLanguages } from "./languages.ts";
import { createPageRenderer, type PageRenderer } from "./rendering.ts";
import { withHead } from "./social.ts";
import { visitorOf } from "./visitors.ts";

interface SiteParts extends LanguageParts {
  config: { analytics: AnalyticsConfig | undefined; tryOutSlots: number; trustProxy: TrustedProxies };
  db: Db;
  log: Log;
  origins: Origins;
  threads: Threads;
  storage: Pick<Storage, "bucket">;
}

/** A single page for all addresses, without any content that differs between them (src/service-worker/files.ts). */
const offlinePage = "/offline.html";

/** The path to which a device posts files that another app shares with the installed page. */
const shareTargetPath = "/share-target";

/** The maximum number of cached compressed documents. */
const maxBodies = 100;

const notBuilt = "The page is not built yet. Run `npm run build` (npm start does this for you), then reload.\n";

/**
 * Addresses below it may contain a token (SPEC.md section 2, the return from a federated sign-in), so no request may
 * send it in a referrer.
 */
const tokenPath = "/auth/";
/** The content of a link is only for its holders, not for search engines. */
const linkPath = /^\/shared(-recording)?(\/|$)/;

/** The built page: its files, and index.html for every navigation. */
export function createSite(distDir: string, deps: SiteParts): Hono<AppEnv> {
  const { origins } = deps;
  const { analytics } = deps.config;
  const elsewhere = { analytics, files: deps.storage.bucket?.publicOrigin };
  const files = createPageFiles(distDir);
  const parts: IndexParts = {
    ...deps,
    languages: createLanguages(deps),
    files,
    renderer: createPageRenderer(distDir, deps),
    bodies: createCache(maxBodies),
  };
  const app = new Hono<AppEnv>();
  app.onError((error, c) => {
    if (error instanceof Problem) return c.text(`${error.message}\n`, error.status);
    deps.log.error("page failed", { path: c.req.path, ...describeError(error) });
    return c.text("Something went wrong on the server.\n", 500);
  });
  app.use(limitRequests(), async (c, next) => {
    await next();
    const isDocument = c.res.headers.get("content-type")?.startsWith("text/html") === true;
    const scripts = isDocument ? await scriptsOf(await templateOf(files)) : [];
    const headers = pageHeaders(origins.apiFor(c.req.header("host")), origins.secure, { ...elsewhere, scripts });
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    const isLink = linkPath.test(c.req.path);
    if (isLink || c.req.path.startsWith(tokenPath)) c.res.headers.set("Referrer-Policy", "no-referrer");
    if (isLink) c.res.headers.set("X-Robots-Tag", "noindex, nofollow, noarchive");
  });
  app.route("/", blogPages(deps));
  app.get("*", async (c) => {
    const path = decodePath(c.req.path);
    // For the service worker, which requests no navigation: the page for any address without a network.
    if (path === offlinePage) return sendIndex(c, parts, undefined);
    const isFile = path !== undefined && !path.endsWith("/") && !isTemplate(path);
    const file = isFile ? await files.find(path) : undefined;
    if (file !== undefined) return sendFile(c, file, cacheFor(c.req.path));
    const large = isFile ? await files.findLarge(path) : undefined;
    if (large !== undefined) return sendLarge(c, large, cacheFor(c.req.path));
    if (path !== "/" && !isNavigation(c)) return c.text("Not found\n", 404);
    return sendIndex(c, parts, path);
  });
  // The page's service worker receives the files (src/service-worker/share-target.ts). A browser without it has not
  // opened the page since its installation: nothing is read here, and the page says what to do.
  app.post(shareTargetPath, streamsBody(Number.MAX_SAFE_INTEGER), (c) => {
    c.header("Connection", "close");
    return c.redirect("/file-upload-config?shared=missed", 303);
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

async function sendFile(c: Context<AppEnv>, file: PageFile, cache: string): Promise<Response> {
  const encoding = file.compressible ? pickEncoding(c.req.header("accept-encoding")) : "identity";
  const tag = `"${file.tag}-${encoding}"`;
  c.header("Cache-Control", cache);
  c.header("ETag", tag);
  if (file.compressible) c.header("Vary", "Accept-Encoding");
  if (matchesETag(c, tag)) return c.body(null, 304);
  if (encoding !== "identity") c.header("Content-Encoding", encoding);
  c.header("Content-Type", file.type);
  return c.body(new Uint8Array(await file.encoded(encoding)));
}

/** Whole or in part, from the disk: such as the model that a browser keeps (src/features/device-models/). */
function sendLarge(c: Context<AppEnv>, file: LargeFile, cache: string): Response {
  const tag = `"${file.tag}"`;
  c.header("Cache-Control", cache);
  c.header("ETag", tag);
  if (matchesETag(c, tag)) return c.body(null, 304);
  c.header("Content-Type", file.type);
  // Public.
  c.set("questions", []);
  return sendRange(c, file.stored, tag);
}

interface IndexParts extends SiteParts {
  languages(): Languages;
  files: PageFiles;
  renderer: PageRenderer;
  /** Compressed documents, by encoding and content. */
  bodies: Cache<Buffer>;
}

/** Files that the build writes for this server, which are not served by name (scripts/build.mjs). */
const isTemplate = (path: string) => path === "/index.html" || /^\/(pages|rendering)\//.test(path);

/** index.html, without a page in it. */
const templateOf = async (files: PageFiles) => (await files.find("/rendering/template.html")) ?? files.find("/index.html");

const knownScripts = new WeakMap<PageFile, string[]>();

async function scriptsOf(template: PageFile | undefined): Promise<string[]> {
  if (template === undefined) return [];
  const known = knownScripts.get(template) ?? inlineScripts(template.bytes.toString("utf8"));
  knownScripts.set(template, known);
  return known;
}

/**
 * Sends the page at this path: as HTML rendered here, or as an index.html that renders itself. Either has the API's
 * address, which depends on the request's host, the current languages of the server, and the head of the page at this
 * path.
 */
async function sendIndex(c: Context<AppEnv>, parts: IndexParts, path: string | undefined): Promise<Response> {
  const { origins, config, files } = parts;
  const visitor = visitorOf(c);
  const template = (await files.find(`/pages/${visitor.language}/shell.html`)) ?? (await templateOf(files));
  if (template === undefined) return c.text(notBuilt, 503);
  c.header("Cache-Control", "no-cache");
  c.header("Vary", "Host, Accept-Encoding, Accept-Language, Cookie");
  const host = c.req.header("host");
  const { search } = new URL(c.req.url);
  const blog = path === undefined ? undefined : await blogPageAt(parts, path, host);
  if (blog?.movedTo !== undefined) return c.redirect(blog.movedTo + search, 301);
  const api = origins.apiFor(host);
  const languages = parts.languages();
  const facts = { ...languageFacts(languages), ...analyticsFacts(config.analytics), ...(api === undefined ? {} : { api }) };
  const person = addressOf(c, config.trustProxy);
  const rendered =
    path === undefined || blog?.status === 404
      ? undefined
      : await parts.renderer.find({ path, search, origin: origins.pageFor(host), api, facts, person }, visitor);
  const plain = withLanguages(withAnalytics(rendered ?? template.bytes.toString("utf8"), config.analytics), languages);
  // The rendered page is in the visitor's language: a post in another language declares its own.
  const html = blog === undefined ? plain : withHead(plain, blog.head, rendered !== undefined);
  const withApi = api === undefined ? html : html.replace(/(<meta name="parlance-api" content=")"/, `$1${api}"`);
  return sendHtml(c, parts, withApi, blog?.status ?? 200);
}

async function sendHtml(c: Context, { bodies }: IndexParts, html: string, status: 200 | 404): Promise<Response> {
  const encoding = pickEncoding(c.req.header("accept-encoding"));
  if (encoding !== "identity") c.header("Content-Encoding", encoding);
  c.header("Content-Type", "text/html; charset=UTF-8");
  const body = await bodies.get(encoding + html, () => compress(Buffer.from(html), encoding));
  return c.body(new Uint8Array(body), status);
}
