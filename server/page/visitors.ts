import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { InterfaceLanguage } from "#contract/index.ts";
import { nearestInterfaceLanguage } from "#contract/interface-languages.ts";

/** The parts of a request that decide the language of a page. */
export interface Visitor {
  language: InterfaceLanguage;
  /** The language with the visitor's region ("en-GB"), for dates; without one, the language. */
  locale: string;
}

/**
 * The visitor's language: from the address, the cookie, or the browser, as in the page (SPEC.md section 4, "Language
 * choice"). Only the browser knows its local storage: index.html.
 */
export function visitorOf(c: Context): Visitor {
  const accepted = acceptedLanguages(c.req.header("accept-language"));
  const language = nearestInterfaceLanguage([...(c.req.queries("lng") ?? []), getCookie(c, "i18next") ?? "", ...accepted]);
  const region = accepted.find((code) => code === language || code.startsWith(`${language}-`));
  return { language, locale: region !== undefined && /^[a-z]{2}-[A-Z]{2}$/.test(region) ? region : language };
}

/** The preferred one first; those with "q=0" are excluded (RFC 9110, section 12.4.2). */
function acceptedLanguages(header = ""): string[] {
  const weighted = header.split(",").map((part) => {
    const [code = "", weight] = part.split(";").map((piece) => piece.trim());
    return { code, weight: Number(/^q=([\d.]+)$/i.exec(weight ?? "")?.[1] ?? 1) };
  });
  const wanted = weighted.filter(({ weight }) => weight > 0);
  return wanted.sort((one, other) => other.weight - one.weight).map(({ code }) => code);
}
