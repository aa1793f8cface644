import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { InterfaceLanguage } from "#contract/index.ts";

/** What of a request decides in which words a page is written. */
export interface Visitor {
  language: InterfaceLanguage;
  /** The language with the visitor's region ("en-GB"), for dates; without one, the language. */
  locale: string;
}

const languages = InterfaceLanguage.options;
const base = (code: string) => code.toLowerCase().split("-")[0];

/** As the page itself does (src/i18n/languages.ts). */
function nearest(wanted: string): InterfaceLanguage {
  const same = languages.find((code) => code.toLowerCase() === wanted.toLowerCase());
  return same ?? languages.find((code) => base(code) === base(wanted)) ?? "en";
}

/**
 * The visitor's language: of the address, of the cookie, or of the browser, as in the page (SPEC.md section 4, "Language choice"). What the
 * local storage says, the browser alone knows: index.html.
 */
export function visitorOf(c: Context): Visitor {
  const accepted = (c.req.header("accept-language") ?? "").split(",").map((part) => part.split(";")[0]?.trim() ?? "");
  const language = nearest(c.req.query("lng") || getCookie(c, "i18next") || accepted[0] || "");
  const region = accepted.find((code) => code === language || code.startsWith(`${language}-`));
  return { language, locale: region !== undefined && /^[a-z]{2}-[A-Z]{2}$/.test(region) ? region : language };
}
