import * as v from "valibot";
import { Problem } from "#server/errors/problem.ts";

/** Maximum nesting of JSON: the deepest legitimate value, a word of a transcription's segment, is at five. */
const maxDepth = 16;
/**
 * Allowed values: for each character, and for any text. A word of a dictation has four values in at least 31
 * characters. A value may take 70 bytes of memory, however short its text is.
 */
const [valuesPerCharacter, fewValues] = [1 / 4, 1_000];

/**
 * Parses untrusted JSON. Checks nesting and the number of values first: a million levels would take the parser seconds,
 * and millions of empty values a hundred times the memory of their text.
 * @throws Problem `badRequest`
 */
export function parseJson(text: string): unknown {
  const excess = excessOf(text);
  if (excess !== undefined) throw new Problem("badRequest", `The body ${excess}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("badRequest", "The body is not JSON.");
  }
}

/** The same with a schema. @returns undefined for anything that the schema does not describe */
export function parseAs<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> | undefined {
  try {
    const parsed = v.safeParse(schema, parseJson(text), firstIssue);
    return parsed.success ? parsed.output : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** For data from outside: one issue for each of a million values would take gigabytes. */
export const firstIssue = { abortEarly: true } as const;

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = [...'"\\,[]{}'].map((mark) => mark.charCodeAt(0));

/**
 * The limit that a JSON text exceeds; undefined: none. Takes nanoseconds per character. The result for invalid JSON
 * does not matter, because the parser refuses it.
 */
export function excessOf(text: string): "is nested too deeply" | "has too many values" | undefined {
  let [depth, values] = [0, 0];
  const maxValues = fewValues + text.length * valuesPerCharacter;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i);
    else if (code === openList || code === openObject) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return "is nested too deeply";
    } else if (code === closeList || code === closeObject) depth -= 1;
    else if (code === comma) values += 1;
    if (values > maxValues) return "has too many values";
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text.charCodeAt(i) !== quote) i += text.charCodeAt(i) === backslash ? 2 : 1;
  return i;
}
