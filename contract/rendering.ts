import * as v from "valibot";

// The interface between the page's server and the renderer (src/rendering.tsx), which the build makes of the page's own
// code. Not part of the API.

/** A route whose page is sent as HTML. */
export interface RenderedRoute {
  /** The router's id: "/_public/blog/$slug". */
  id: string;
  /** Path pattern: "/blog/$slug". */
  path: string;
  /** "built" by the build, for a page that is the same for all visitors; "asked" by the page's server on request. */
  made: "built" | "asked";
}

/** Information from the build for the page's server (dist/rendering/pages.json). */
export const RenderedPages = v.object({
  /** Path of the renderer in the build's folder. */
  program: v.string(),
  /** URLs of additional style sheets of a page, by its route's path. */
  sheets: v.record(v.string(), v.array(v.string())),
});

export interface PageVisit {
  /** Path and query. */
  href: string;
  origin: string;
  /** One of the interface languages. */
  language: string;
  /** The visitor's preferred language with its region ("en-GB"), or the interface language. */
  locale: string;
  /** Facts about the server: contents of `<meta name="parlance-…">`, by the names without "parlance-". */
  facts: Readonly<Record<string, string>>;
  /** Responses of the API (JSON), by path and query. */
  answers: Readonly<Record<string, unknown>>;
}

const RenderedParts = v.object({
  /** Content of the element `root`. */
  html: v.string(),
  /** Content after that element: data for the page's script; "" for none. */
  data: v.string(),
  /** Tags for the head: `<link>`. */
  links: v.string(),
  title: v.string(),
  /** For search engines; "" for none. */
  description: v.string(),
});
export type RenderedParts = v.InferOutput<typeof RenderedParts>;

/** The page; or the API's paths whose responses are needed first; or nothing, because its URL redirects. */
export const RenderedPage = v.union([
  RenderedParts,
  v.object({ needs: v.array(v.string()) }),
  v.object({ leadsElsewhere: v.literal(true) }),
]);
export type RenderedPage = v.InferOutput<typeof RenderedPage>;

/** A namespace of the locale files. */
export type ReadTexts = (language: string, namespace: string) => Record<string, unknown>;

/** The exports of src/rendering.tsx after the build. */
export interface Renderer {
  renderedRoutes(): RenderedRoute[];
  renderPage(visit: PageVisit, readTexts: ReadTexts): Promise<unknown>;
  pageDocument(
    template: string,
    page: { href: string; language: string; sheets: readonly string[] },
    rendered: RenderedParts,
  ): string;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for elements and quoted attributes of HTML and XML. */
export function escaped(text: string): string {
  return clean(text).replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}

/** Removes characters that are invalid in XML: control characters and lone surrogates. */
export function clean(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}|[\uFFFE\uFFFF]/gu, (mark) => (mark === "\n" || mark === "\t" ? mark : ""));
}

/** JSON for a script element with data: nothing in it can end the element. */
export function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
