import { Problem } from "#server/common/problem.ts";

/** Deepest nesting of what is taken as JSON: the deepest that is meant, a word of a segment of a transcription, is at five. */
const maxDepth = 16;

/**
 * Parses JSON from outside. How deep it nests is looked at first, which stops at the first bracket too many: what is nested a million
 * times deep costs the parser seconds.
 * @throws Problem `badRequest`
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new Problem("badRequest", "The body is nested too deep.");
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("badRequest", "The body is not JSON.");
  }
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [...'"\\[]{}'].map((mark) => mark.charCodeAt(0));

/** Some nanoseconds for each character. What is no JSON at all may be called deep or not: it is refused in any case. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i);
    else if (code === openList || code === openObject) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === closeList || code === closeObject) depth -= 1;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text.charCodeAt(i) !== quote) i += text.charCodeAt(i) === backslash ? 2 : 1;
  return i;
}
