import { remark } from "remark";
import remarkGfm from "remark-gfm";
import { flattened, thinned } from "./tame-markdown.ts";

/** Words that a person reads in a minute, and characters of scripts that put no spaces between words. */
const wordsPerMinute = 220;
const charactersPerMinute = 500;
/** The maximum characters of a generated summary: about two sentences. */
const maxSummary = 220;
/**
 * The maximum parsed characters: about twenty minutes of reading, and a tenth of a second of work. A hostile text takes
 * seconds.
 */
const maxParsed = 30_000;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

/** A post's properties that are derived from its text. */
export interface Digest {
  /** One or two sentences from its beginning, without headings; "" without text. */
  summary: string;
  /** The reading time in minutes, at least 1. */
  minutes: number;
}

const parser = remark().use(remarkGfm);
type MarkdownNode = ReturnType<typeof parser.parse>["children"][number];

/**
 * Parses a post’s Markdown once for all derived properties. This can take seconds, whatever its length and content, so
 * the server does it in a thread (digest-tasks.ts).
 */
export function digestOf(markdown: string): Digest {
  const text = markdown.replace(/\r\n?/g, "\n");
  const { parsed, blocks } = read(text);
  return { summary: summaryIn(blocks), minutes: minutesIn(joined(blocks), text, parsed) };
}

/**
 * The text of Markdown without its marks; code blocks, pictures, HTML and footnotes are left out. Paragraphs stay
 * paragraphs. Only the first 30,000 characters of a long text are used.
 */
export function plainText(markdown: string): string {
  return joined(read(markdown.replace(/\r\n?/g, "\n")).blocks);
}

/** @returns the part that was parsed, and its paragraphs, headings and rows of tables */
function read(text: string): { parsed: string; blocks: MarkdownNode[] } {
  const lineEnd = text.lastIndexOf("\n", maxParsed);
  const parsed = text.length <= maxParsed ? text : text.slice(0, lineEnd > 0 ? lineEnd : maxParsed);
  return { parsed, blocks: leaves(parser.parse(thinned(flattened(parsed))).children) };
}

/** Paragraphs, headings and rows of tables, in their order. */
function leaves(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableRow") return [node];
    const isAround = node.type === "blockquote" || node.type === "list" || node.type === "listItem" || node.type === "table";
    return isAround ? leaves(node.children) : [];
  });
}

/** The blocks' texts, separated as in the source. */
function joined(blocks: readonly MarkdownNode[]): string {
  let [text, line] = ["", 0];
  for (const block of blocks) {
    const own = textOf(block);
    if (own === "") continue;
    const { start, end } = block.position ?? { start: { line }, end: { line } };
    const between = start.line - line > 1 ? "\n\n" : "\n";
    text = text === "" ? own : text + between + own;
    line = end.line;
  }
  return text;
}

function textOf(block: MarkdownNode): string {
  const parts = block.type === "tableRow" ? block.children : [block];
  return parts
    .map(textIn)
    .join(" ")
    .replace(/[ \t]+/g, " ")
    .replace(/^ | $/gm, "");
}

/** Without pictures and HTML. A break separates two words. */
function textIn(node: MarkdownNode): string {
  if (node.type === "break") return "\n";
  if (node.type === "text" || node.type === "inlineCode") return node.value;
  return "children" in node ? node.children.map(textIn).join("") : "";
}

/** @param text the whole text, which begins with `parsed`: the rest is counted with its marks */
function minutesIn(plain: string, text: string, parsed: string): number {
  const rest = parsed === text ? 0 : minutesToRead(withoutCode(text)) - minutesToRead(withoutCode(parsed));
  return Math.max(1, Math.round(minutesToRead(plain) + rest));
}

function minutesToRead(plain: string): number {
  const characters = plain.match(unspaced)?.length ?? 0;
  const words = plain.replace(unspaced, " ").match(word)?.length ?? 0;
  return words / wordsPerMinute + characters / charactersPerMinute;
}

/** Removes blocks between fences; an unclosed block goes to the end. */
function withoutCode(markdown: string): string {
  let fence = "";
  const kept = markdown.split("\n").filter((line) => {
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

function summaryIn(blocks: readonly MarkdownNode[]): string {
  const paragraphs = blocks.filter(({ type }) => type !== "heading");
  const text = joined(paragraphs).replace(/\s+/g, " ").trim();
  const letters = [...text];
  if (letters.length <= maxSummary) return text;
  const start = letters.slice(0, maxSummary).join("");
  const sentences = /^.*[.!?…。！？](?=\s|[^\s\p{L}\p{N}]|$)/u.exec(start)?.[0] ?? /^.*[。！？]/u.exec(start)?.[0] ?? "";
  if (sentences.length >= maxSummary / 4) return sentences;
  const words = start.includes(" ") ? start.replace(/\s+\S*$/, "") : start.slice(0, -1);
  return `${words.replace(/[\s,;:–—-]+$/, "")}…`;
}
