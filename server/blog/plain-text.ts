/** Reading speed per minute: in words, and in characters of scripts that put no spaces between words. */
const wordsPerMinute = 220;
const charactersPerMinute = 500;
/** Maximum length of a generated summary, in characters: about two sentences. */
const maxSummary = 220;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

/**
 * The plain text of a Markdown text, without code blocks, pictures and tables' rules. Paragraphs are kept. Every pattern excludes
 * what it begins with or is bounded in length, so that the time is linear in the text's length.
 */
export function plainText(markdown: string): string {
  return withoutCode(markdown)
    .replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, "")
    .replace(/!\[[^[\]\n]*\](?:\((?:[^()\n]|\([^()\n]*\)){0,500}\)|\[[^[\]\n]*\])?/g, "")
    .replace(/\[([^[\]\n]*)\](?:\((?:[^()\n]|\([^()\n]*\)){0,500}\)|\[[^[\]\n]*\])/g, "$1")
    .replace(/^ {0,3}\[[^[\]\n]+\]:[^\n]*$/gm, "")
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, "$1")
    .replace(/<\/?[a-z][^<>\n]*>/gi, "")
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, "")
    .replace(/^ {0,3}#{1,6}[ \t]+/gm, "")
    .replace(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm, "")
    .replace(/^[-*_=|: \t]{3,}$/gm, "")
    .replaceAll("`", "")
    .replace(/(\*\*|__|~~)(?=\S)(.{0,500}?\S)\1/g, "$2")
    .replace(/(^|[^\p{L}\p{N}\\])([*_])(?=\S)([^*_\n]{0,500}?\S)\2(?![\p{L}\p{N}])/gu, "$1$3")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replaceAll("|", " ")
    .replace(/[ \t]+/g, " ")
    .replace(/^ | $/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Removes code blocks between fences; a fence that is not closed extends to the end of the text. */
function withoutCode(markdown: string): string {
  let fence = "";
  const kept = markdown.split(/\r\n?|\n/).filter((line) => {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence === "") {
      fence = marks;
      return marks === "";
    }
    if (marks.startsWith(fence)) fence = "";
    return false;
  });
  return kept.join("\n");
}

/** Reading time of a Markdown text in minutes, at least 1. */
export function minutesOf(markdown: string): number {
  const text = plainText(markdown);
  const characters = text.match(unspaced)?.length ?? 0;
  const words = text.replace(unspaced, " ").match(word)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute + characters / charactersPerMinute));
}

/** One or two sentences from the beginning of a Markdown text, without its headings; "" when it has no text. */
export function summaryOf(markdown: string): string {
  const paragraphs = markdown
    .replace(/\r\n?/g, "\n")
    .replace(/^ {0,3}#{1,6}(?:[ \t][^\n]*)?$/gm, "")
    .replace(/^[^\n]+\n {0,3}(?:=+|-{2,})[ \t]*$/gm, "");
  const text = plainText(paragraphs).replace(/\s+/g, " ");
  const letters = [...text];
  if (letters.length <= maxSummary) return text;
  const start = letters.slice(0, maxSummary).join("");
  const sentences = /^.*[.!?…。！？](?=\s|[^\s\p{L}\p{N}]|$)/u.exec(start)?.[0] ?? /^.*[。！？]/u.exec(start)?.[0] ?? "";
  if (sentences.length >= maxSummary / 4) return sentences;
  const words = start.includes(" ") ? start.replace(/\s+\S*$/, "") : start.slice(0, -1);
  return `${words.replace(/[\s,;:–—-]+$/, "")}…`;
}
