/** French sets these apart from the word before them. */
const isFrench = (language: string): boolean => /^fr\b/i.test(language);

/**
 * A translation without blanks before its punctuation marks, and without doubled blanks within a line: engines leave
 * them where they have dropped a word, or where the source has them.
 * @param target the language of the translation
 */
export function withTidyBlanks(translated: string, target: string): string {
  const marks = isFrench(target) ? /(?<=\S)[ \t]+([,.]+)(?=\s|$)/g : /(?<=\S)[ \t]+([,.;:?!]+)(?=\s|$)/g;
  return translated.replace(/(?<=\S) {2,}(?=\S)/g, " ").replace(marks, "$1");
}
