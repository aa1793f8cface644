/** The allowed origins. Both without a trailing slash; `api` is "" where the API is at the page's own origin. */
export interface KnownAddresses {
  /** The address of the page that shows the text. */
  page: string;
  api: string;
}

export interface LinkAddress {
  href: string;
  /** It is an external link. */
  external: boolean;
}

export interface PictureAddress {
  /** It may be loaded: its origin is the API's or the page's own. Any other host would be blocked by the page's CSP. */
  own: boolean;
  src: string;
  host: string;
  /** Pixels; undefined when the address has none. */
  size: { width: number; height: number } | undefined;
}

const sizePattern = /^#(\d{1,5})x(\d{1,5})$/;

/** A picture's address in Markdown: its pixel size is in the fragment, "…/photo#1200x800", to reserve its space. */
export function sizedPicture(url: string, size: { width?: number | undefined; height?: number | undefined }): string {
  return size.width && size.height ? `${url.replace(/#.*$/, "")}#${size.width}x${size.height}` : url;
}

/** The target of a link in a text; undefined when it is not allowed. */
export function linkAddress(href: string | undefined, places: KnownAddresses): LinkAddress | undefined {
  if (!href) return undefined;
  if (href.startsWith("#")) return { href, external: false };
  const url = parse(href, places.page);
  if (url?.protocol === "mailto:") return { href: url.href, external: false };
  if (url === undefined || !isWeb(url)) return undefined;
  const external = url.origin !== new URL(places.page).origin;
  return { href: external ? url.href : `${url.pathname}${url.search}${url.hash}`, external };
}

/** The address of a picture in a text, and whether the page may show it; undefined for an unusable one (`data:` and the like). */
export function pictureAddress(src: string | undefined, places: KnownAddresses): PictureAddress | undefined {
  if (!src) return undefined;
  const page = new URL(places.page).origin;
  const api = places.api === "" ? page : (parse(places.api, page)?.origin ?? page);
  // The server's pictures may have no host: it is then the API's and not the page's.
  const url = parse(src, src.startsWith("/blog/images/") ? api : places.page);
  if (url === undefined || !isWeb(url)) return undefined;
  const [, width, height] = sizePattern.exec(url.hash) ?? [];
  url.hash = "";
  return {
    own: url.origin === page || url.origin === api,
    src: url.href,
    host: url.host,
    size: Number(width) > 0 && Number(height) > 0 ? { width: Number(width), height: Number(height) } : undefined,
  };
}

function isWeb(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}

function parse(address: string, base: string): URL | undefined {
  return URL.parse(address, base) ?? undefined;
}
