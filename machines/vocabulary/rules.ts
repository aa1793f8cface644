/** The lines that say something, each once, in order. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== "");
}

/** Appends lines to a text, except those that it already has. */
export function withLines(text: string, added: string): { text: string; count: number } {
  const known = new Set(linesOf(text));
  const lines = linesOf(added).filter((line) => !known.has(line));
  const before = text.trimEnd();
  return { text: [...(before === "" ? [] : [before]), ...lines].join("\n"), count: lines.length };
}

/**
 * Merges two versions with a common base: theirs, without the lines that were removed here, and with those that were
 * added here.
 */
export function merged(base: string, theirs: string, mine: string): string {
  const [began, own] = [new Set(linesOf(base)), linesOf(mine)];
  const stays = new Set(own);
  const kept = theirs.split("\n").filter((line) => stays.has(line.trim()) || !began.has(line.trim()));
  return withLines(kept.join("\n"), own.filter((line) => !began.has(line)).join("\n")).text;
}
