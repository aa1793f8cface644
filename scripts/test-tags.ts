import { type ESTree, parseSync, Visitor } from "vite";

/** A comment above a test that names a sentence of the specification or a promise of the product. */
export interface TestTag {
  kind: "SPEC" | "PROMISE";
  /** For a sentence: the section's number, and the heading if any ("4 Session"). For a promise: its topic. */
  place: string;
  /** A fragment of the sentence, or the promise. */
  text: string;
  /** From the root of the repository. */
  file: string;
  /** Title of the test below it, with the titles around it; empty without a test below. */
  title: string;
}

/** Anything that a tag can be above: a test, a row of its table, a named rule. */
interface Tagged {
  start: number;
  end: number;
  title: string;
  /** Whether its title precedes the titles of everything inside. */
  isAround: boolean;
}

const tagPattern = /^(SPEC|PROMISE) ([^:"]+): (.+)$/;

/** The tags of a file, in order. @throws Error when a comment looks like a tag but is not valid */
export function readTags(file: string, source: string): TestTag[] {
  if (!/\/\/ (SPEC|PROMISE) /.test(source)) return [];
  const { program, comments } = parseSync(file, source);
  const tagged = findTagged(program, source);
  return comments.flatMap(({ value, start }) => {
    const comment = value.trim();
    if (!/^(SPEC|PROMISE) /.test(comment)) return [];
    const [, kind, place = "", text = ""] = tagPattern.exec(comment) ?? [];
    if (kind !== "SPEC" && kind !== "PROMISE") throw new Error(`${file}: "// ${comment}" is no tag (docs/develop/tests.md).`);
    const unquoted = text.replace(/^"(.*)"$/, "$1");
    return [{ kind, place: place.trim(), text: unquoted, file, title: titleAt(tagged, startOfCode(source, start)) }];
  });
}

/** The titles of a file's tests and groups, in order, each with its offset in the source. */
export function readTitles(file: string, source: string): { title: string; start: number }[] {
  return findTagged(parseSync(file, source).program, source).filter(({ isAround }) => isAround);
}

/** The offset of the code below a comment and the comments that follow it. */
function startOfCode(source: string, comment: number): number {
  return comment + (/^(?:\s*\/\/[^\n]*)*\s*/.exec(source.slice(comment))?.[0].length ?? 0);
}

function titleAt(tagged: readonly Tagged[], start: number): string {
  const target = tagged.find((one) => one.start === start && one.title !== "");
  if (target === undefined) return "";
  const around = tagged.filter((one) => one.isAround && one.start < start && one.end >= target.end);
  return [...around, target].map(({ title }) => title).join(" › ");
}

/** In the order of the file; of two that begin at the same offset, the outer one is first. */
function findTagged(program: ESTree.Program, source: string): Tagged[] {
  const found: Tagged[] = [];
  const add = ({ start, end }: ESTree.Span, title: string, isAround: boolean) => found.push({ start, end, title, isAround });
  const text = ({ start, end }: ESTree.Span) => source.slice(start, end);
  new Visitor({
    CallExpression(call) {
      const [title] = call.arguments;
      if (title && isText(title) && isTest(call.callee)) add(call, text(title).slice(1, -1), true);
    },
    ArrayExpression({ elements }) {
      for (const row of elements) if (row) add(row, labelOf(text(row)), false);
    },
    Property(property) {
      add(property, labelOf(text(property.key)), false);
    },
  }).visit(program);
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

function isText(node: ESTree.Argument): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

/** Whether a callee is `test`, `test.skipIf(…)`, `test.each(…)` or the like. */
function isTest(callee: ESTree.Expression): boolean {
  if (callee.type === "CallExpression") return isTest(callee.callee);
  if (callee.type === "TaggedTemplateExpression") return isTest(callee.tag);
  if (callee.type === "MemberExpression") return callee.object.type !== "Super" && isTest(callee.object);
  return callee.type === "Identifier" && ["test", "it", "describe"].includes(callee.name);
}

/** The label of a row or a rule: the first word or sentence in its code; without any, the code. */
function labelOf(code: string): string {
  const texts = [...code.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , text = ""]) => text);
  return texts.find((text) => text.length > 2) ?? code.replace(/\s+/g, " ").slice(0, 60);
}
