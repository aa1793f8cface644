import type { Context } from "hono";

/**
 * Whether a request's If-None-Match has this tag, alone or in a list. A proxy that compresses turns "tag" into
 * `W/"tag"`: they count as equal here (RFC 9110, section 13.1.2).
 * @param tag with its quotation marks
 */
export function matchesETag(c: Context, tag: string): boolean {
  const tags = (c.req.header("if-none-match") ?? "").matchAll(/\*|"[^"]*"/g);
  return [...tags].some(([one]) => one === "*" || one === tag);
}
