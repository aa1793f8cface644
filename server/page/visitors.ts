import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { InterfaceLanguage } from "#contract/index.ts";
import { nearestInterfaceLanguage } from "#contract/interface-languages.ts";

/** What of a request decides in which words a page is written. */
export interface Visitor {
  language: InterfaceLanguage;
  /** The language with the visitor's region ("en-GB"), for dates; without one, the language. */
  locale: string;
}

/**
 * The visitor's language: of the address, of the cookie, or of the browser, as in the page (SPEC.md section 4, "Language choice"). What the
 * local storage says, the browser alone knows: index.html.
 */
export function visitorOf(c: Context): Visitor {
  const accepted = (c.req.header("accept-language") ?? "").split(",").map((part) => part.split(";")[0]?.trim() ?? "");
  const language = nearestInterfaceLanguage(c.req.query("lng") || getCookie(c, "i18next") || accepted[0] || "");
  const region = accepted.find((code) => code === language || code.startsWith(`${language}-`));
  return { language, locale: region !== undefined && /^[a-z]{2}-[A-Z]{2}$/.test(region) ? region : language };
}
