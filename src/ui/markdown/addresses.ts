/** Where things may come from. Both without a slash at their end; `api` is "" where the API is at the page's own origin. */
export interface Places {
  /** The address of the page that shows the text. */
  page: string;
  api: string;
}

export interface LinkAddress {
  href: string;
  /** It leads to another site. */
  external: boolean;
}

export interface PictureAddress {
  /** May be loaded: it is the API's or the page's own. Else it is an address on another host, which the page's policy would block. */
  own: boolean;
  src: string;
  host: string;
  /** Pixels; undefined when the address does not say. */
  size: { width: number; height: number } | undefined;
}

const sizePattern = /^#(\d{1,5})x(\d{1,5})$/;

/** A picture's address as Markdown keeps it: with its size in pixels in the fragment, "…/photo#1200x800", so that its place is kept. */
export function sizedPicture(url: string, size: { width?: number | undefined; height?: number | undefined }): string {
  return size.width && size.height ? `${url.replace(/#.*$/, "")}#${size.width}x${size.height}` : url;
}

/** Where a link of a text leads; undefined when nobody should follow it. */
export function linkAddress(href: string | undefined, places: Places): LinkAddress | undefined {
  if (!href) return undefined;
  if (href.startsWith("#")) return { href, external: false };
  const url = parse(href, places.page);
  if (url?.protocol === "mailto:") return { href: url.href, external: false };
  if (url === undefined || !isWeb(url)) return undefined;
  const external = url.origin !== new URL(places.page).origin;
  return { href: external ? url.href : `${url.pathname}${url.search}${url.hash}`, external };
}

/** Where a picture of a text is, and whether the page may show it; undefined when it is nowhere (`data:` and the like). */
export function pictureAddress(src: string | undefined, places: Places): PictureAddress | undefined {
  if (!src) return undefined;
  const page = new URL(places.page).origin;
  const api = places.api === "" ? page : (parse(places.api, page)?.origin ?? page);
  // The server's pictures may be named without their host, which is the API's then and not the page's.
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
