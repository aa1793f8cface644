import * as v from "valibot";
import { Day, type InsightKind, insightLimits, type Point } from "#contract/index.ts";
import { type Known, withoutReferences } from "./references.ts";

/** One line of a model's answer, with the numbers of the cited lines, at least one. */
export interface Said extends Pick<Point, "text" | "heading" | "task"> {
  numbers: number[];
}

export interface AnswerReader {
  feed(text: string): void;
  /** Ends the input. */
  end(): Answer;
}

export interface Answer {
  said: Said[];
  /** Sentences that rest on nothing. */
  omitted: number;
  /** Whether the model answered NONE. */
  isNone: boolean;
}

/** The model does not stop, although its lines are valid: reading stops, and the earlier lines count. */
export class EnoughError extends Error {
  override readonly name = "EnoughError";
}

/** Characters: a longer line is invalid. */
const maxLine = 4000;
const maxText = 600;
const maxHeading = 120;
/** The maximum lines of one answer. */
const maxSaid = 150;

/**
 * Reads a model's answer as it arrives, line by line: each is a sentence (or a task, a chapter) with the numbers of the
 * lines that it cites. Lines without a valid citation are left out. Models don't keep to a form: they number lines, use
 * Markdown, put everything into a code fence or a table.
 * @param onSaid called with each valid line
 * @throws EnoughError from `feed`
 */
export function readAnswer(kind: InsightKind, known: Known, onSaid: (said: Said) => void = () => {}): AnswerReader {
  const answer: Answer = { said: [], omitted: 0, isNone: false };
  const seen = new Set<string>();
  let heading: string | undefined;
  let held = "";
  const take = (whole: string) => {
    const raw = whole.slice(0, maxLine);
    const line = plain(raw);
    if (isNone(line)) answer.isNone = true;
    const isHeading = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/.test(raw);
    const said = whole.length > maxLine ? undefined : saidIn(kind, line, known);
    if (said !== undefined && !isHeading) {
      const key = said.text.toLowerCase();
      if (seen.has(key)) return;
      seen.add(key);
      if (answer.said.length === maxSaid) throw new EnoughError();
      const whole = heading === undefined ? said : { ...said, heading };
      heading = undefined;
      answer.said.push(whole);
      onSaid(whole);
    } else if (kind === "summary" && (isHeading || /^[^\s.!?|]+(?: [^\s.!?|]+){0,3}:$/.test(line))) {
      heading = withoutReferences(line, known).text.replace(/:$/, "").slice(0, maxHeading) || undefined;
    } else if (isSentence(line)) answer.omitted += 1;
  };
  const takeLines = () => {
    for (let end = held.indexOf("\n"); end !== -1; end = held.indexOf("\n")) {
      const line = held.slice(0, end);
      held = held.slice(end + 1);
      take(line);
    }
  };
  return {
    feed: (text) => {
      held += text;
      // The buffer is not searched again for each chunk: a model may never end its line.
      if (text.includes("\n")) takeLines();
    },
    end: () => {
      if (held !== "" && answer.said.length < maxSaid) take(held);
      held = "";
      return answer;
    },
  };
}

/** Invisible characters that reorder or hide text, and control characters. */
const invisible = /[\p{Cc}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Without bullets, numbers, Markdown and HTML: of a link and a picture the words stay, not the address. */
function plain(raw: string): string {
  return raw
    .replace(invisible, " ")
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, "")
    .replace(/!?\[([^\][]{0,300})\]\((?:[^()]|\([^()]{0,300}\)){0,2000}\)/g, "$1")
    .replace(/^\s*(?:[-*•+>]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+)+/, "")
    .replace(/\*\*|__|`+/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const isNone = (line: string): boolean => /^["'“„«(]*none["'”“».!)]*$/i.test(line);
/** Fences, rules, table heads and introductions of lists are not missed. */
const isSentence = (line: string): boolean => !isNone(line) && line.split(" ").length > 3 && !/^\||:$/.test(line);

function saidIn(kind: InsightKind, line: string, known: Known): Said | undefined {
  const { text, numbers } = withoutReferences(line, known);
  const [first] = numbers;
  if (first === undefined) return undefined;
  if (kind === "tasks") return taskIn(text, numbers);
  const words = text.replace(/^[\s|]+|[\s|]+$/g, "").slice(0, maxText);
  if (!/\p{L}|\p{N}/u.test(words)) return undefined;
  return { text: words, numbers: kind === "chapters" ? [first] : numbers };
}

/** `Task | person | 2026-03-01`, or only the first part. */
function taskIn(line: string, numbers: number[]): Said | undefined {
  const [what = "", who = "", when = ""] = line
    .replace(/^[\s|]+|[\s|]+$/g, "")
    .split("|")
    .map((cell) => cell.trim());
  if (!/\p{L}/u.test(what)) return undefined;
  const day = v.safeParse(Day, /\d{4}-\d{2}-\d{2}/.exec(when)?.[0]);
  const owner = /^(?:[-–—?]*|none|nobody|unknown|n\/a)$/i.test(who) ? null : who.slice(0, insightLimits.owner);
  const task = { owner, due: day.success ? day.output : null, done: false };
  return { text: what.slice(0, insightLimits.task), numbers, task };
}
