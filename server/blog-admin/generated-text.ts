import { type GeneratedHead, maxTopics } from "#contract/index.ts";

const maxTitle = 200;
const maxSummary = 300;
const maxTopic = 40;
/** Maximum length of a head (characters): text without an end of the head within it has no head. */
const maxHead = 4000;
/** Maximum length of text before a head (characters). */
const maxPreamble = 400;

export interface TextReader {
  feed(text: string): void;
  /**
   * Ends the input.
   * @returns the parsed post; undefined if it has no text
   */
  end(): { head: GeneratedHead; content: string } | undefined;
}

/**
 * Parses a model's answer as it arrives: a head between two lines of three hyphens (title, summary, topics), then
 * Markdown. Models don't always follow this form: they put everything in a code fence, write a line before it, omit the
 * first hyphens or give only a heading. All of these are accepted. The title falls back to the first heading, then to
 * `fallback`.
 */
export function readGenerated({
  title: fallback,
  onHead,
  onText,
}: {
  title: string;
  onHead(head: GeneratedHead): void;
  onText(text: string): void;
}): TextReader {
  let held = "";
  let opening: Opening | undefined;
  let content = "";
  const emit = (text: string) => {
    if (text === "") return;
    content += text;
    onText(text);
  };
  const pass = (title: string, isAll: boolean) => {
    if (content === "") {
      held = held.trimStart();
      // Whether this heading repeats the title is known only at the end of its line.
      if (!isAll && /^#[^\n]*$/.test(held)) return;
      held = withoutHeading(held, title);
    }
    // White space and a fence at the end are held back: they may be the end of the answer, which is trimmed.
    const keep = /\s*(?:`{1,3}\s*)?$/.exec(held)?.[0].length ?? 0;
    emit(held.slice(0, held.length - keep));
    held = held.slice(held.length - keep);
  };
  const open = (isAll: boolean) => {
    opening ??= openingOf(held, fallback, isAll);
    if (opening === undefined) return;
    held = opening.rest;
    onHead(opening.head);
  };
  return {
    feed: (text) => {
      held += text;
      if (opening === undefined) open(false);
      if (opening !== undefined) pass(opening.head.title, false);
    },
    end: () => {
      if (opening === undefined) open(true);
      if (opening === undefined) return undefined;
      pass(opening.head.title, true);
      emit((opening.fenced ? held.replace(/\s*`{1,3}\s*$/, "") : held).trimEnd());
      content = content.trim();
      return content === "" ? undefined : { head: opening.head, content };
    },
  };
}

interface Opening {
  head: GeneratedHead;
  rest: string;
  fenced: boolean;
}

/** The head and what follows it; undefined while more has to come. */
function openingOf(whole: string, fallback: string, isAll: boolean): Opening | undefined {
  const text = whole.trimStart();
  const framed = /^(?:(?!---|```)[^\n]{0,200}\n{1,2})?(```[\w-]*[ \t]*\n\s*)?---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text);
  const bare = /^(```[\w-]*[ \t]*\n\s*)?(title:[^\n]*\n(?:[\w ]+:[^\n]*\n|[ \t]*- [^\n]*\n)*)(?:---[ \t]*)?\n/i.exec(text);
  const found = framed ?? bare;
  if (found !== null) {
    // The line of hyphens may be incomplete.
    if (!isAll && !found[0].endsWith("\n")) return undefined;
    const head = headOf(fieldsOf(found[2] ?? ""), fallback);
    return { head, rest: text.slice(found[0].length), fenced: found[1] !== undefined };
  }
  const mayHaveHead = /^(?:```|---|title:)|\n---/i.test(text.slice(0, maxPreamble));
  if (!isAll && text.length < (mayHaveHead ? maxHead : maxPreamble)) return undefined;
  const fence = /^```[\w-]*[ \t]*\n/.exec(text)?.[0] ?? "";
  const rest = text.slice(fence.length).trimStart();
  const heading = /^# +([^\n]+?)[ \t#]*(?:\n|$)/.exec(rest)?.[1] ?? "";
  return { head: headOf(new Map([["title", heading]]), fallback), rest, fenced: fence !== "" };
}

/** The page shows the title above the post. */
function withoutHeading(text: string, title: string): string {
  const heading = /^# +([^\n]+?)[ \t#]*(?:\n\s*|$)/.exec(text);
  return heading !== null && plain(heading[1] ?? "") === title ? text.slice(heading[0].length) : text;
}

/** "key: value", and lists of "- value" below a key. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let last = "";
  for (const line of text.split("\n")) {
    const [, key, value = ""] = /^\s*([A-Za-z]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      last = key.toLowerCase();
      fields.set(last, value);
      continue;
    }
    const more = line.replace(/^\s*-?\s*/, "");
    const before = fields.get(last) ?? "";
    if (more !== "") fields.set(last, last === "topics" && before !== "" ? `${before}, ${more}` : `${before} ${more}`.trim());
  }
  return fields;
}

function headOf(fields: ReadonlyMap<string, string>, fallback: string): GeneratedHead {
  const title = plain(fields.get("title") ?? "") || plain(fallback);
  const topics = (fields.get("topics") ?? fields.get("tags") ?? "").replace(/^\[|\]$/g, "").split(",");
  return {
    title: cut(title, maxTitle),
    summary: cut(plain(fields.get("summary") ?? ""), maxSummary),
    topics: topicsOf(topics),
  };
}

/** Normalised for a post: lower case, without duplicates, and limited in number. */
export function topicsOf(names: readonly string[]): string[] {
  const cleaned = names.map((name) => plain(name).replace(/^#/, "").toLowerCase());
  const accepted = cleaned.filter((name) => name !== "" && name.length <= maxTopic);
  return [...new Set(accepted)].slice(0, maxTopics);
}

/** Without the quotes, asterisks and blanks that models put around a value. */
function plain(text: string): string {
  const unmarked = text.replace(/\s+/g, " ").replace(/(\*{1,2}|__)(\S.*?)\1/g, "$2");
  return unmarked.replace(/^[\s"'“”„«»*`]+|[\s"'“”„«»*`]+$/g, "");
}

/** Cuts at the end of a word, if there is one. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const short = text.slice(0, maxLength - 1);
  const end = short.lastIndexOf(" ");
  return `${(end > maxLength / 2 ? short.slice(0, end) : short).toWellFormed()}…`;
}
