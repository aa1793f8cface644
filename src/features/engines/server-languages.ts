import { pageFact } from "#src/browser/server-rendered.ts";

/**
 * Codes that the page server has written into the page (server/page/languages.ts); none: it has none, or another server has sent it.
 * @param name hears: base languages that are recognised; translates: into which; tries: those of a try without an
 * account ("en:de,es")
 */
export const serverLanguages = (name: "hears" | "translates" | "tries"): string[] => pageFact(name)?.match(/\S+/g) ?? [];
