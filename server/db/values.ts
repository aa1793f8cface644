const nul = "\u0000";

/**
 * A value as both databases can store it. PostgreSQL refuses the character NUL in texts, and SQLite's functions end a text at it: it
 * is left out, as it is wherever a text is shown.
 */
export function storable(value: unknown): unknown {
  return typeof value === "string" && value.includes(nul) ? value.replaceAll(nul, "") : value;
}
