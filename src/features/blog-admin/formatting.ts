import type { TextEdit } from "./post-text.ts";

type Range = readonly [number, number];
export type Format = "bold" | "italic" | "heading" | "link" | "list" | "quote" | "code";

/** Wraps the selection in a mark, or unwraps it if it is already wrapped. */
function wrapped(text: string, [from, to]: Range, mark: string): TextEdit {
  const chosen = text.slice(from, to);
  const length = mark.length;
  // A single star next to another star belongs to "**" and is no mark of its own.
  const isOther = mark === "*" && text.slice(from - 2, from) === "**" && text.slice(from - 3, from) !== "***";
  const isThere = !isOther && text.slice(Math.max(0, from - length), from) === mark && text.slice(to, to + length) === mark;
  if (isThere) return { from: from - length, to: to + length, text: chosen, select: [0, chosen.length] };
  return { from, to, text: mark + chosen + mark, select: [length, length + chosen.length] };
}

/** Prefixes each selected line. Removes the prefix if all lines have it. */
function lined(text: string, [from, to]: Range, mark: string, old: RegExp): TextEdit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const ending = text.indexOf("\n", Math.max(from, to - 1));
  const end = ending === -1 ? text.length : ending;
  const lines = text.slice(start, end).split("\n");
  const isThere = lines.every((line) => line.startsWith(mark));
  const next = lines.map((line) => (isThere ? line.slice(mark.length) : mark + line.replace(old, ""))).join("\n");
  return { from: start, to: end, text: next, select: lines.length > 1 ? [0, next.length] : [next.length, next.length] };
}

function coded(text: string, [from, to]: Range): TextEdit {
  const chosen = text.slice(from, to);
  if (!chosen.includes("\n")) return wrapped(text, [from, to], "`");
  const block = `\`\`\`\n${chosen.replace(/\n$/, "")}\n\`\`\`\n`;
  return { from, to, text: block, select: [4, 4 + chosen.length] };
}

function linked(text: string, [from, to]: Range): TextEdit {
  const chosen = text.slice(from, to);
  if (/^https?:\/\/\S+$/.test(chosen)) return { from, to, text: `[](${chosen})`, select: [1, 1] };
  const at = chosen.length + 3;
  return { from, to, text: `[${chosen}](https://)`, select: [at, at + "https://".length] };
}

/** Applies a toolbar button to a Markdown text with this selection. */
export function formatted(format: Format, text: string, range: Range): TextEdit {
  switch (format) {
    case "bold":
      return wrapped(text, range, "**");
    case "italic":
      return wrapped(text, range, "*");
    case "heading":
      return lined(text, range, "## ", /^#{1,6} /);
    case "list":
      return lined(text, range, "- ", /^(\d+\.|[-*+]) /);
    case "quote":
      return lined(text, range, "> ", /^> ?/);
    case "code":
      return coded(text, range);
    case "link":
      return linked(text, range);
  }
}

/** Counts the words of a Markdown text by the rules of its language. URLs and markup don't count. */
export function countWords(text: string, language: string): number {
  const plain = text.replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1").replaceAll(/https?:\/\/\S+/g, " ");
  let count = 0;
  for (const { isWordLike } of segmenter(language).segment(plain)) if (isWordLike) count += 1;
  return count;
}

function segmenter(language: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity: "word" });
  } catch {
    return new Intl.Segmenter("en", { granularity: "word" });
  }
}
