/**
 * Reading limits, based on Netflix's timed text style guides (partnerhelp.netflixstudios.com, "Timed Text Style
 * Guide"): two lines of 42 letters (Japanese 13, Chinese and Korean 16 full-width characters), 17 letters a second
 * (Japanese 4, Chinese 9, Korean 12 characters).
 */
export interface Limits {
  /** Columns of a line; a full-width character takes two. */
  line: number;
  /** Columns read per second. */
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
 * @param line wanted columns for a language with an alphabet; others get their share
 */
export function limitsFor(language: string | undefined, line = usual.line): Limits {
  const limits = byLanguage.get(language?.split("-")[0]?.toLowerCase() ?? "") ?? usual;
  return line === usual.line ? limits : { ...limits, line: Math.round((limits.line * line) / usual.line) };
}

/** Shortest and longest time of a subtitle, as far as the speech allows (seconds). */
export const shortest = 1;
export const longest = 7;
/** Gap between two subtitles (seconds): two frames at 24 per second make the change visible. */
export const gap = 0.083;
/** A shorter gap would flicker, so the earlier subtitle stays until the next (seconds). */
export const flicker = 0.5;

const fullWidth =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const invisible = /[\p{Mn}\p{Me}\p{Cf}]/u;

/**
 * Most characters of a letter with its marks: no language has more (UAX #15 has 30 marks). Beyond that, they take more
 * columns.
 */
export const longestLetter = 31;

/** The number of columns of a text. */
export function widthOf(text: string): number {
  let [width, characters] = [0, 0];
  for (const character of text) {
    characters += 1;
    if (fullWidth.test(character)) width += 2;
    else if (!invisible.test(character)) width += 1;
  }
  return Math.max(width, Math.floor(characters / longestLetter));
}
