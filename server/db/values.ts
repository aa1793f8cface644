const nul = "\u0000";

/**
 * A value that both databases can store. PostgreSQL refuses the character NUL in texts, and SQLite's functions end a
 * text at it, so it is removed, as in all shown texts.
 */
export function storable(value: unknown): unknown {
  return typeof value === "string" && value.includes(nul) ? value.replaceAll(nul, "") : value;
}
