import type { BlogImage, BlogPost } from "#contract/index.ts";
import { escaped, jsonInScript } from "#contract/rendering.ts";

const locales: Record<string, string> = {
  en: "en_US",
  de: "de_DE",
  es: "es_ES",
  fr: "fr_FR",
  "pt-BR": "pt_BR",
  nl: "nl_NL",
  da: "da_DK",
};
const siteName = "Parlance";
const blogTitle = "Blog";
export const blogDescription =
  "About speech, text and translation: how Parlance recognizes and translates speech, and how to get the most out of it.";

/** The metadata of index.html for clients that don't run it: crawlers and link previews. */
export interface PageHead {
  title: string;
  description: string;
  language: string;
  /** HTML for the head; all parts are escaped. */
  tags: string[];
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}" />`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}" />`;
const link = (rel: string, href: string, more = "") => `<link rel="${rel}" href="${escaped(href)}"${more} />`;

function feedLinks(page: string): string[] {
  return [
    link("alternate", `${page}/blog/rss.xml`, ` type="application/rss+xml" title="${siteName} (RSS)"`),
    link("alternate", `${page}/blog/atom.xml`, ` type="application/atom+xml" title="${siteName} (Atom)"`),
  ];
}

/** @param page the page's origin */
export function headOfBlog(page: string): PageHead {
  const address = `${page}/blog`;
  const title = `${blogTitle} · ${siteName}`;
  const tags = [
    ...preview({ title: blogTitle, description: blogDescription, address, type: "website", cover: null }),
    ...feedLinks(page),
  ];
  return { title, description: blogDescription, language: "en", tags };
}

/** @param page the page's origin */
export function headOfPost(post: BlogPost, page: string): PageHead {
  const { title, summary: description, language, publishedAt, updatedAt, topics, cover } = post;
  const address = `${page}/blog/${post.slug}`;
  const tags = [
    ...preview({ title, description, address, type: "article", cover }),
    property("og:locale", locales[language] ?? language.replace("-", "_")),
    ...(publishedAt === null ? [] : [property("article:published_time", publishedAt)]),
    ...(updatedAt === null ? [] : [property("article:modified_time", updatedAt)]),
    ...(post.author === null ? [] : [meta("author", post.author)]),
    ...topics.map((topic) => property("article:tag", topic)),
    ...feedLinks(page),
    `<script type="application/ld+json">${jsonInScript(linkedData(post, address, page))}</script>`,
  ];
  return { title: `${title} · ${siteName}`, description, language, tags };
}

/** The head of the address of a missing post. */
export function headOfNothing(): PageHead {
  const title = `Blog post not found · ${siteName}`;
  return { title, description: blogDescription, language: "en", tags: [meta("robots", "noindex")] };
}

interface Preview {
  title: string;
  description: string;
  address: string;
  type: "website" | "article";
  cover: BlogImage | null;
}

function preview({ title, description, address, type, cover }: Preview): string[] {
  const picture = cover !== null && /^https?:\/\//.test(cover.url) ? cover : null;
  const pictures =
    picture === null
      ? []
      : [
          property("og:image", picture.url),
          property("og:image:width", String(picture.width)),
          property("og:image:height", String(picture.height)),
          ...(picture.alt === "" ? [] : [property("og:image:alt", picture.alt), meta("twitter:image:alt", picture.alt)]),
          meta("twitter:image", picture.url),
        ];
  return [
    link("canonical", address),
    property("og:site_name", siteName),
    property("og:type", type),
    property("og:title", title),
    property("og:description", description),
    property("og:url", address),
    ...pictures,
    meta("twitter:card", picture === null ? "summary" : "summary_large_image"),
    meta("twitter:title", title),
    meta("twitter:description", description),
  ];
}

function linkedData(post: BlogPost, address: string, page: string) {
  return {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: post.title,
    description: post.summary,
    inLanguage: post.language,
    url: address,
    mainEntityOfPage: address,
    datePublished: post.publishedAt ?? undefined,
    dateModified: post.updatedAt ?? undefined,
    keywords: post.topics.join(", ") || undefined,
    image: post.cover?.url,
    author: post.author === null ? { "@type": "Organization", name: siteName } : { "@type": "Person", name: post.author },
    publisher: { "@type": "Organization", name: siteName, url: page },
  };
}

/** index.html with this metadata. @param hasLanguage it is in the visitor's language already */
export function withHead(html: string, { title, description, language, tags }: PageHead, hasLanguage = false): string {
  return html
    .replace(/<html lang="[^"]*"/, (known) => (hasLanguage ? known : `<html lang="${escaped(language)}"`))
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => meta("description", description))
    .replace(/ *<\/head>/, () => `${tags.map((tag) => `    ${tag}\n`).join("")}  </head>`);
}
