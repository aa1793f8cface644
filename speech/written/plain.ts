/**
 * Whether a text is from an engine that gives only words (PocketSphinx, many Zipformers): no punctuation, no digits,
 * and a single case except for "I" and the first letter.
 */
export function isPlain(text: string): boolean {
  if (/[\p{N}.,;:!?…]/u.test(text)) return false;
  const bare = text.replace(/(?<![\p{L}'])I(?=$|[\s'])/gu, "").replace(/^\s*\p{L}/u, "");
  return bare === bare.toLowerCase() || bare === bare.toUpperCase();
}

export const isEnglish = (language: string): boolean => /^en\b/i.test(language);
