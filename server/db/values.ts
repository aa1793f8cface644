const nul = "\u0000";
/** What stands for a character that can't be shown. */
const replacement = "\uFFFD";

/**
 * A value as both databases can store it. PostgreSQL refuses the character NUL in texts, and SQLite's functions end a text at it: it
 * becomes the replacement character, so that every text keeps its length and all its words.
 */
export function storable(value: unknown): unknown {
  return typeof value === "string" && value.includes(nul) ? value.replaceAll(nul, replacement) : value;
}
