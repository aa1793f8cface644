import { jsonrepair } from "jsonrepair";
import * as v from "valibot";
import { excessOf, firstIssue } from "./json.ts";

/**
 * A JSON string. Strings are matched first, so that Python's numbers (NaN), which JSON does not have, are not found
 * inside them.
 */
const string = String.raw`"[^"\\]*(?:\\[^][^"\\]*)*"`;
const stringOrNumber = new RegExp(String.raw`${string}|-?\b(?:NaN|Infinity)\b`, "g");
const stringOrBrace = new RegExp(`${string}|[{}]`, "g");
/** Repairing takes time that grows with the square of a hostile text: a longer one is not repaired (characters). */
const maxRepaired = 50_000;
/** The maximum number of places where JSON is searched, and of characters in all of them together. */
const maxBeginnings = 50;
const maxSearched = 200_000;

/**
 * Parses JSON as servers and models write it: with NaN, trailing commas, single quotes, line breaks or quotes within
 * strings.
 * @returns undefined for invalid, incomplete or excessive JSON (json.ts)
 */
export function parseLenient(text: string): unknown {
  if (excessOf(text) !== undefined) return undefined;
  const exact = parsed(text);
  const bare = text.trim();
  if (exact !== undefined || !/^(?:\{\}|\[\])$/.test(bare.charAt(0) + bare.charAt(bare.length - 1))) return exact;
  return parsed(text, numbered) ?? (text.length > maxRepaired ? undefined : parsed(text, (one) => jsonrepair(numbered(one))));
}

const numbered = (text: string): string => text.replace(stringOrNumber, (found) => (found.startsWith('"') ? found : "null"));

function parsed(text: string, mend = (broken: string) => broken): unknown {
  try {
    return JSON.parse(mend(text));
  } catch {
    return undefined;
  }
}

/** Describes a value that is undefined where a server sends null, something else or nothing. */
export const orNothing = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.optional(schema), undefined);

/** Finds the first JSON object of a kind in a model's answer: in a code fence, after prose, before more of it. */
export function findJson<Schema extends v.GenericSchema>(text: string, schema: Schema): v.InferOutput<Schema> | undefined {
  let searched = 0;
  for (const { index } of [...text.matchAll(/\{/g)].slice(0, maxBeginnings)) {
    for (const end of new Set([endOf(text, index), text.lastIndexOf("}") + 1])) {
      const found = v.safeParse(schema, parseLenient(text.slice(index, end)), firstIssue);
      if (found.success) return found.output;
      searched += Math.max(0, end - index);
    }
    if (searched > maxSearched) return undefined;
  }
  return undefined;
}

/** The offset after the brace that closes the one at `start`. */
function endOf(text: string, start: number): number {
  let depth = 0;
  // A longer string within it would be too much for the pattern.
  for (const { 0: found, index } of text.slice(start, start + maxSearched).matchAll(stringOrBrace)) {
    if (found === "{") depth += 1;
    else if (found === "}") depth -= 1;
    if (depth === 0) return start + index + found.length;
  }
  return text.length;
}

/** The maximum depth of a shape, and the maximum named members of an object. */
const [maxDepth, maxMembers] = [4, 20];

/** An answer's structure for the log: names of members and types, never a value. */
export function shapeOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) {
    if (value.length === 0 || depth === maxDepth) return `[${value.length}]`;
    return `[${value.length} × ${shapeOf(value[0], depth + 1)}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    if (depth === maxDepth) return `{${members.length}}`;
    const named = members.slice(0, maxMembers).map(([name, own]) => `${nameOf(name)}: ${shapeOf(own, depth + 1)}`);
    return `{${[...named, ...(members.length > maxMembers ? ["…"] : [])].join(", ")}}`;
  }
  if (typeof value === "string" && value.trim() === "") return "nothing";
  if (typeof value === "string") return value.trimStart().startsWith("<") ? "HTML" : "text";
  return value === null ? "null" : typeof value;
}

/** A name with other characters may contain a person's words. */
const nameOf = (name: string): string => (/^[\w.-]{1,40}$/.test(name) ? name : "?");
