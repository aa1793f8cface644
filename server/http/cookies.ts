import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Origins } from "./origins.ts";

/** The longest cookie life of browsers (RFC 6265bis, section 5.5: 400 days), in seconds. */
const maxAgeSeconds = 400 * 24 * 60 * 60;

export interface AuthCookie {
  readonly name: string;
  read(c: Context): string | undefined;
  /** @param seconds until the browser deletes it */
  write(c: Context, value: string, seconds: number): void;
  clear(c: Context): void;
}

/**
 * Names and sends every authentication cookie. They are HttpOnly and SameSite. If the API uses https, the name has a
 * prefix that browsers enforce (RFC 6265bis, section 4.1.3): `__Host-` for the whole API, so that no other host and no
 * network attacker can set one; `__Secure-` for a narrower path, which `__Host-` does not allow.
 * @param name without a prefix
 * @param path of the requests that carry it
 */
export function authCookie({ origins }: { origins: Origins }, name: string, path = "/"): AuthCookie {
  const secure = origins.secureApi;
  const prefix = path === "/" ? "__Host-" : "__Secure-";
  const full = secure ? `${prefix}${name}` : name;
  const scope = { httpOnly: true, sameSite: "Lax", path, secure } as const;
  return {
    name: full,
    read: (c) => getCookie(c, full),
    write: (c, value, seconds) => setCookie(c, full, value, { ...scope, maxAge: Math.min(maxAgeSeconds, Math.floor(seconds)) }),
    clear: (c) => void deleteCookie(c, full, scope),
  };
}
