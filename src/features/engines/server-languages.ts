import { pageFact } from "#src/browser/server-rendered.ts";

/**
 * Language codes that the page server has written into the page (server/page/languages.ts). Empty if it knows none, or
 * if another server has sent the page.
 * @param name hears: recognized base languages; translates: target languages; tries: languages of a try without an
 *   account ("en:de,es")
 */
export const serverLanguages = (name: "hears" | "translates" | "tries"): string[] => pageFact(name)?.match(/\S+/g) ?? [];
