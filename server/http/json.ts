import { Problem } from "#server/errors/problem.ts";

/** Maximum nesting of JSON: the deepest legitimate value, a word of a transcription's segment, is at five. */
const maxDepth = 16;

/**
 * Parses untrusted JSON. Checks the nesting first, up to the first bracket too many: a million levels would take the parser
 * seconds.
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

/** Takes nanoseconds per character. The result for invalid JSON does not matter: it is refused anyway. */
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
