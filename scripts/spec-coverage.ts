import type { TestTag } from "./test-tags.ts";

/** A sentence of the specification, from a paragraph, a list item, or a table row. */
export interface Sentence {
  /** Such as "4. States and transitions". */
  section: string;
  /** The ### heading; empty where the section has none. */
  heading: string;
  text: string;
}

export interface Coverage {
  sentences: (Sentence & { tests: TestTag[] })[];
  promises: { topic: string; text: string; tests: TestTag[] }[];
  /** Problems of tags, and how to fix them. */
  problems: string[];
}

/** The topics of Parlance's promises, in the order of the document. */
export const topics: readonly string[] = [
  "start",
  "speech",
  "translation",
  "insights",
  "history",
  "notes",
  "sharing",
  "search",
  "addresses",
  "tryout",
  "folder",
  "programs",
  "correcting",
  "exports",
  "voices",
  "vocabulary",
  "player",
  "dictation",
  "offline",
  "uploads",
  "minutes",
  "trash",
  "vault",
  "blog",
  "administration",
  "security",
  "sign-in",
  "limits",
  "models",
  "mails",
  "payments",
  "analytics",
  "processes",
  "operating",
  "code",
];

/** Sentences that leave something open require nothing. */
const leavesOpen = /: (?:fields )?not shown\.$/;

/** The sentences of a specification in Markdown, in order. */
export function readSentences(markdown: string): Sentence[] {
  const sentences: Sentence[] = [];
  let section = "";
  let heading = "";
  for (const line of markdown.split("\n")) {
    const [, level, title = ""] = /^(#+) (.+)$/.exec(line) ?? [];
    if (level === "##") [section, heading] = [title, ""];
    else if (level === "###") heading = title;
    else if (level === undefined && section !== "")
      for (const text of sentencesOf(line)) sentences.push({ section, heading, text });
  }
  // The row above a table's line of dashes has the column titles, so both are left out.
  return sentences.filter(({ text }, index) => !isRule(text) && !isRule(sentences[index + 1]?.text) && !leavesOpen.test(text));
}

const isRule = (text: string | undefined) => text !== undefined && /^[-| ]+$/.test(text);

/** A line is a table row, a list item, or a paragraph. */
function sentencesOf(line: string): string[] {
  const text = line.trim();
  if (text === "" || /^\*\*[^*]+\*\*$/.test(text)) return [];
  if (text.startsWith("|")) return [text.replace(/^\|\s*|\s*\|$/g, "")];
  if (text.startsWith("- ")) return [text.slice(2)];
  return text.split(/(?<=[.!?]['"]?)\s+(?=[A-Z*/'"])/);
}

/** The form in which fragments and sentences are compared. */
function normalise(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/\*\*/g, "").replace(/\s+/g, " ").trim();
}

/** The place of a sentence, as in a tag: "4 Session" for section "4. States and transitions" and heading "Session". */
function placeOf({ section, heading }: Sentence): string {
  return `${section.replace(/\..*$/, "")} ${heading}`.trim();
}

/** Matches tests to the sentences and promises that they name. */
export function readCoverage(sentences: readonly Sentence[], tags: readonly TestTag[]): Coverage {
  const named: Coverage["sentences"] = sentences.map((sentence) => ({ ...sentence, tests: [] }));
  const promises = new Map<string, Coverage["promises"][number]>();
  const problems: string[] = [];
  for (const tag of tags) {
    const problem = tag.kind === "SPEC" ? nameSentence(named, tag) : namePromise(promises, tag);
    if (problem) problems.push(`${tag.file}: ${tag.kind} ${tag.place}: "${tag.text}" ${problem}.`);
  }
  return {
    sentences: named,
    promises: [...promises.values()].sort(
      (one, other) => topics.indexOf(one.topic) - topics.indexOf(other.topic) || compare(one.text, other.text),
    ),
    problems,
  };
}

/** @returns the problem of the tag */
function nameSentence(named: Coverage["sentences"], tag: TestTag): string | undefined {
  if (tag.title === "") return "is not above a test";
  const there = named.filter((sentence) => placeOf(sentence) === tag.place);
  if (there.length === 0) return `names a section or heading that docs/spec.md does not have`;
  const fragment = normalise(tag.text);
  const whole = there.filter(({ text }) => normalise(text) === fragment);
  const [sentence, another] = whole.length > 0 ? whole : there.filter(({ text }) => normalise(text).includes(fragment));
  if (sentence === undefined) return `is not in a sentence of that section of docs/spec.md`;
  if (another !== undefined) return `is in several sentences of that section of docs/spec.md: quote more of it`;
  sentence.tests.push(tag);
}

/** @returns the problem of the tag */
function namePromise(promises: Map<string, Coverage["promises"][number]>, tag: TestTag): string | undefined {
  const { title, place: topic, text } = tag;
  if (title === "") return "is not above a test";
  if (!topics.includes(topic)) return `has a topic that scripts/spec-coverage.ts does not know`;
  const key = `${topic}: ${text}`;
  const promise = promises.get(key) ?? { topic, text, tests: [] };
  promise.tests.push(tag);
  promises.set(key, promise);
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, "en");
}

const intro = `# The specification, and the tests that show it

\`npm run docs:spec\` writes this document from [spec.md](spec.md) and from the comments \`// SPEC\` and \`// PROMISE\` above the tests
([develop/tests.md](develop/tests.md)); \`npm test\` fails when it is out of date. A sentence is one of a paragraph, an item of a list, or
a row of a table. Sentences that end in "not shown" ask for nothing and are left out.
`;

/** The content of docs/spec-coverage.md: blocks separated by empty lines. */
export function writeDocument({ sentences, promises }: Coverage): string {
  const sections = [...Map.groupBy(sentences, ({ section }) => section)];
  const counts = sections.map(([section, all]) => `| ${section} | ${all.length} | ${all.filter(isNamed).length} |`);
  const topics = [...Map.groupBy(promises, ({ topic }) => topic)];
  return [
    intro,
    lines(["| Section | Sentences | Named by a test |", "| --- | --: | --: |", ...counts]),
    ...sections.flatMap(([section, all]) => writeSection(section, all)),
    lines(["## What Parlance promises"]),
    ...topics.flatMap(([topic, all]) => [lines([`### ${capitalise(topic)}`]), lines(all.map(writeTested))]),
  ].join("\n");
}

function writeSection(section: string, sentences: Coverage["sentences"]): string[] {
  const headings = [...Map.groupBy(sentences.filter(isNamed), ({ heading }) => heading)];
  const others = sentences.filter((sentence) => !isNamed(sentence));
  return [
    lines([`## ${section}`]),
    ...headings.flatMap(([heading, all]) => [
      ...(heading === "" ? [] : [lines([`### ${heading}`])]),
      lines(all.map(writeTested)),
    ]),
    ...(others.length === 0 ? [] : [lines(["Sentences that no test names:", ...others.map(writeUntested)])]),
  ];
}

const isNamed = ({ tests }: Coverage["sentences"][number]) => tests.length > 0;
const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join("");

function writeUntested({ heading, text }: Sentence): string {
  return `- ${heading === "" ? "" : `${heading}: `}${plain(text)}`;
}

/** A sentence or a promise, followed by its tests, each once. */
function writeTested({ text, tests }: { text: string; tests: readonly TestTag[] }): string {
  const links = tests.map(({ file, title }) => `  - [${file.replace(/^tests\//, "")}](../${file}): ${plain(title)}`);
  return [`- ${plain(text)}`, ...[...new Set(links)].sort(compare)].join("\n");
}

/** Escapes a text for Markdown: <>, _, * and the like. */
function plain(text: string): string {
  return normalise(text).replace(/[\\<>_*`[\]]/g, "\\$&");
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
