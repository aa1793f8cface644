/**
 * Translates the lines with letters or digits, each separately, and reassembles the texts. Other lines stay as they
 * are.
 * @param translate gets trimmed lines without control characters; its answer has the same length and order
 */
export async function translateLines(
  texts: readonly string[],
  translate: (lines: string[]) => Promise<string[]>,
): Promise<string[]> {
  const lines = texts.map((text) => text.split("\n"));
  const wanted = lines.flat().filter(isText);
  const translated = (wanted.length === 0 ? [] : await translate(wanted.map(clean))).values();
  const put = (line: string) => (isText(line) ? (translated.next().value ?? "") : line);
  return lines.map((text) => text.map(put).join("\n"));
}

function isText(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** Removes control characters: Apertium interprets some (NUL flushes its pipe), and readers need none. */
function clean(line: string): string {
  return line.replace(/[\p{Cc}\u2028\u2029]/gu, " ").trim();
}
