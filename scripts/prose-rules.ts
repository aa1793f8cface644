import { remark } from "remark";
import remarkGfm from "remark-gfm";
import { parseSync } from "vite";
import { readTitles } from "./test-tags.ts";

/** Characters of a line with a comment. */
const maxCommentLine = 120;
/** Words of a document's sentences on average. */
const maxSentenceWords = 20;
/** A title with one of these first words is no sentence: a person can't understand it in a list of failures. */
const bannedBeginnings = new Set(["of", "what", "who", "is", "are", "that"]);
/** Tags quote the specification, and a linter's instruction is one line. */
const unbreakable = /^\s*(?:(?:SPEC|PROMISE) [^:]+: |biome-ignore)/;

/** The titles of a test file that are no sentences, each with its line and what to do. */
export function findTitleFaults(file: string, source: string): string[] {
  return readTitles(file, source).flatMap(({ title, start }) => {
    const [first = ""] = title.toLowerCase().split(/\W/, 1);
    if (!bannedBeginnings.has(first)) return [];
    return [`${file}:${lineAt(source, start)} The title begins with "${first}": name the subject, or begin with a verb.`];
  });
}

/** The lines of comments in TypeScript or JavaScript that are too long, each with what to do. */
export function findCommentFaults(file: string, source: string): string[] {
  const lines = source.split("\n");
  const isLong = (line: number) => (lines[line - 1]?.length ?? 0) > maxCommentLine;
  return parseSync(file, source)
    .comments.filter(({ value }) => !unbreakable.test(value))
    .flatMap(({ start, end }) => range(lineAt(source, start), lineAt(source, end)))
    .filter(isLong)
    .map((line) => `${file}:${line} The line has a comment and more than ${maxCommentLine} characters: break it.`);
}

/** A document whose sentences are too long on average, with what to do. Tables, headings and code don't count. */
export function findSentenceFaults(file: string, source: string): string[] {
  const sentences = readParagraphs(remark().use(remarkGfm).parse(source)).flatMap(splitSentences);
  const words = sentences.reduce((sum, sentence) => sum + countWords(sentence), 0);
  const average = words / sentences.length;
  if (sentences.length === 0 || average <= maxSentenceWords) return [];
  return [
    `${file} Its sentences have ${average.toFixed(1)} words on average, and ${maxSentenceWords} at most: split the long ones.`,
  ];
}

interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

function readParagraphs(node: MarkdownNode): string[] {
  if (node.type === "paragraph") return [readText(node)];
  if (node.type === "table") return [];
  return (node.children ?? []).flatMap(readParagraphs);
}

function readText(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(readText).join("");
}

const bySentence = new Intl.Segmenter("en", { granularity: "sentence" });
const byWord = new Intl.Segmenter("en", { granularity: "word" });

function splitSentences(paragraph: string): string[] {
  return Array.from(bySentence.segment(paragraph.replace(/\s+/g, " ")), ({ segment }) => segment);
}

function countWords(sentence: string): number {
  return Array.from(byWord.segment(sentence)).filter(({ isWordLike }) => isWordLike).length;
}

function lineAt(source: string, position: number): number {
  return source.slice(0, position).split("\n").length;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
