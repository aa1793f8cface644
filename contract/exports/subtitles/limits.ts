/**
 * What a person can read, after Netflix's timed text style guides (partnerhelp.netflixstudios.com, "Timed Text Style Guide"): two lines of 42
 * letters (Japanese 13, Chinese and Korean 16 full-width characters), 17 letters a second (Japanese 4, Chinese 9, Korean 12 characters).
 */
export interface Limits {
  /** Columns of a line; a full-width character takes two. */
  line: number;
  /** Columns that are read in a second. */
  speed: number;
}

const usual: Limits = { line: 42, speed: 17 };
const byLanguage = new Map<string, Limits>([
  ["ja", { line: 26, speed: 8 }],
  ["zh", { line: 32, speed: 18 }],
  ["yue", { line: 32, speed: 18 }],
  ["ko", { line: 32, speed: 24 }],
]);

/**
 * @param language a BCP 47 tag; undefined or unknown: as for alphabets
 * @param line columns that are wanted of a language with an alphabet; others have their share of it
 */
export function limitsFor(language: string | undefined, line = usual.line): Limits {
  const limits = byLanguage.get(language?.split("-")[0]?.toLowerCase() ?? "") ?? usual;
  return line === usual.line ? limits : { ...limits, line: Math.round((limits.line * line) / usual.line) };
}

/** Seconds that a subtitle stays at least and at most, as far as the speech allows. */
export const shortest = 1;
export const longest = 7;
/** Seconds between two subtitles: two frames at 24 a second, so that the change is seen. */
export const gap = 0.083;
/** Seconds: a shorter time without a subtitle only flickers, so the one before stays until the next. */
export const flicker = 0.5;

const fullWidth =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const invisible = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Characters of a letter with its marks and signs: no language has more (UAX #15 has 30 marks). More of them take more columns. */
export const longestLetter = 31;

/** How many columns a text takes. */
export function widthOf(text: string): number {
  let [width, characters] = [0, 0];
  for (const character of text) {
    characters += 1;
    if (fullWidth.test(character)) width += 2;
    else if (!invisible.test(character)) width += 1;
  }
  return Math.max(width, Math.floor(characters / longestLetter));
}
