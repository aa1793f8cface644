import { createHash } from "node:crypto";
import { termsIn } from "#contract/search/terms.ts";
import type { Wanted } from "#contract/search/wanted.ts";

/**
 * Prefixes each of a user's terms in the index, so that a search reads only that user's entries, and its duration
 * depends only on their number. Two users may have the same tag; queries therefore name the user, too.
 */
export function tagOf(userId: string): string {
  const hash = createHash("sha256").update(userId).digest();
  return hash.readUInt32BE(0).toString(36).padStart(7, "0");
}

/** Separates the parts of a passage, so that no phrase matches across them. */
const border = "¶";

/** The terms that find a passage. */
export function indexedTerms(tag: string, parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => termsIn(part).map(({ term }) => tag + term))
    .map((terms) => terms.join(" "))
    .join(` ${border} `);
}

/** A query for SQLite's FTS5. Terms are only letters and digits, so nothing has to be escaped. */
export function matchOfSqlite(wanted: readonly Wanted[], mode: "all" | "any"): string {
  return wanted
    .map(({ terms, isPrefix }) => `"${terms.join(" ")}"${isPrefix ? " *" : ""}`)
    .join(mode === "all" ? " AND " : " OR ");
}

/** A query for PostgreSQL's tsquery. */
export function matchOfPostgres(wanted: readonly Wanted[], mode: "all" | "any"): string {
  return wanted
    .map(({ terms, isPrefix }) => `(${terms.map((term) => `'${term}'`).join(" <-> ")}${isPrefix ? ":*" : ""})`)
    .join(mode === "all" ? " & " : " | ");
}
