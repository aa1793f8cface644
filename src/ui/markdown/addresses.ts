/** The allowed origins, without a trailing slash. `api` is "" if the API is at the page's own origin. */
export interface KnownAddresses {
  /** The origin of the page that shows the text. */
  page: string;
  api: string;
}

export interface LinkAddress {
  href: string;
  /** Whether the link is external. */
  external: boolean;
}

export interface PictureAddress {
  /**
   * Whether the page may load it: its origin is the API's or the page's own. The page's CSP would block any other host.
   */
  own: boolean;
  src: string;
  host: string;
  /** Size in pixels; undefined when the address has none. */
  size: { width: number; height: number } | undefined;
}

const sizePattern = /^#(\d{1,5})x(\d{1,5})$/;

/** A picture's address for Markdown. Its fragment has the size in pixels ("…/photo#1200x800"), to reserve the space. */
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

/**
 * The address of a picture in a text, and whether the page may show it; undefined if unusable (`data:` and the like).
 */
export function pictureAddress(src: string | undefined, places: KnownAddresses): PictureAddress | undefined {
  if (!src) return undefined;
  const page = new URL(places.page).origin;
  const api = places.api === "" ? page : (parse(places.api, page)?.origin ?? page);
  // The server's pictures may have no host. They belong to the API's origin, not to the page's.
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
