import { createHash } from "node:crypto";
import { termsIn } from "#contract/search/terms.ts";
import type { Wanted } from "#contract/search/wanted.ts";

/**
 * Before every term of a person's texts in the index: what is asked for one person leads to nothing of another's, and takes as long as there is
 * of this person. That two people share one is possible; a query names the person, too.
 */
export function tagOf(userId: string): string {
  const hash = createHash("sha256").update(userId).digest();
  return hash.readUInt32BE(0).toString(36).padStart(7, "0");
}

/** Between the parts of a passage: no sequence of terms goes across it. */
const border = "¶";

/** What a passage is found by. */
export function indexedTerms(tag: string, parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => termsIn(part).map(({ term }) => tag + term))
    .map((terms) => terms.join(" "))
    .join(` ${border} `);
}

/** For SQLite's FTS5. Terms are letters and digits: nothing in them has a meaning there. */
export function matchOfSqlite(wanted: readonly Wanted[], mode: "all" | "any"): string {
  return wanted
    .map(({ terms, isPrefix }) => `"${terms.join(" ")}"${isPrefix ? " *" : ""}`)
    .join(mode === "all" ? " AND " : " OR ");
}

/** For PostgreSQL's tsquery. */
export function matchOfPostgres(wanted: readonly Wanted[], mode: "all" | "any"): string {
  return wanted
    .map(({ terms, isPrefix }) => `(${terms.map((term) => `'${term}'`).join(" <-> ")}${isPrefix ? ":*" : ""})`)
    .join(mode === "all" ? " & " : " | ");
}
