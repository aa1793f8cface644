/** French puts a space before these marks. */
const isFrench = (language: string): boolean => /^fr\b/i.test(language);

/**
 * Removes spaces before punctuation marks, and doubled spaces within a line. Engines leave them where they have dropped
 * a word, or where the source has them.
 * @param target the language of the translation
 */
export function withTidyBlanks(translated: string, target: string): string {
  const marks = isFrench(target) ? /(?<=\S)[ \t]+([,.]+)(?=\s|$)/g : /(?<=\S)[ \t]+([,.;:?!]+)(?=\s|$)/g;
  return translated.replace(/(?<=\S) {2,}(?=\S)/g, " ").replace(marks, "$1");
}
