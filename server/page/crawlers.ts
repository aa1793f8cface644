import { escaped } from "#contract/rendering.ts";

/** The maximum number of URLs in a sitemap. */
export const sitemapPosts = 49_000;
const publicPages = ["/", "/about", "/contact", "/waitlist", "/terms", "/privacy", "/signup", "/signin"];
/** Paths that are useless for crawlers: those that need a sign-in, targets of e-mails and payments, and test pages. */
const closed = [
  ...[
    "/admin",
    "/blog/admin",
    "/dashboard",
    "/settings",
    "/subscription",
    "/feedback",
    "/transcription",
    "/trash",
    "/search",
    "/shared-with-me",
    "/file-",
    "/url-",
  ],
  ...["/voice-translator", "/speech-to-text", "/encrypted-audio", "/auth/", "/reset-password", "/email-", "/debug/"],
  ...["/test/", "/analytics-test", "/second-step"],
];

/** @param page the page's origin @param posts the newest first */
export function sitemap(page: string, posts: readonly { slug: string; updated_at: number }[]): string {
  const entry = (path: string, changed?: number) =>
    `<url><loc>${escaped(page + path)}</loc>${changed === undefined ? "" : `<lastmod>${new Date(changed).toISOString()}</lastmod>`}</url>`;
  const newest = posts.reduce((latest, { updated_at }) => Math.max(latest, updated_at), 0);
  const entries = [
    ...publicPages.map((path) => entry(path)),
    entry("/blog", posts.length === 0 ? undefined : newest),
    ...posts.map(({ slug, updated_at }) => entry(`/blog/${slug}`, updated_at)),
  ];
  const opening = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  return `${opening}${entries.join("\n")}\n</urlset>\n`;
}

/** @param page the page's origin */
export function robots(page: string): string {
  return ["User-agent: *", ...closed.map((path) => `Disallow: ${path}`), "", `Sitemap: ${page}/sitemap.xml`, ""].join("\n");
}
