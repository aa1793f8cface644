import type { Rewrite } from "../rewrite.ts";
import { belowHundred, type Cardinal, cardinal, digits, type Words } from "./cardinal.ts";
import { beforeYears, months, numberWord, ordinalWord } from "./words.ts";

/** A reader's result for the words from an index on: their written form, and the index after them. */
interface Reading {
  written: string;
  next: number;
}

/**
 * Finds spelled-out numbers in an English text, and their usual written form. Ambiguous words stay as they are, and so
 * do numbers below ten that count nothing. Takes linear time.
 */
export function findNumbers(text: string): Rewrite[] {
  const { words, spans } = wordsIn(text);
  const found: Rewrite[] = [];
  for (let at = 0; at < words.length; ) {
    const reading = read(words, at);
    if (reading === undefined) {
      at = behindRun(words, at);
      continue;
    }
    const [first, last] = [spans[at], spans[reading.next - 1]];
    if (first !== undefined && last !== undefined) found.push({ from: first.from, to: last.to, written: reading.written });
    at = reading.next;
  }
  return found;
}

/** The words in lower case, with their positions; "" marks more than a space or a hyphen between two words. */
function wordsIn(text: string) {
  const words: string[] = [];
  const spans: { from: number; to: number }[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}'’]+/gu)) {
    const before = spans.at(-1);
    if (before !== undefined && !/^[\s-]+$/.test(text.slice(before.to, match.index))) {
      words.push("");
      spans.push({ from: match.index, to: match.index });
    }
    words.push(match[0].toLowerCase());
    spans.push({ from: match.index, to: match.index + match[0].length });
  }
  return { words, spans };
}

const isNumber = (words: Words, at: number): boolean => numberWord(words[at] ?? "") !== undefined;

function read(words: Words, at: number): Reading | undefined {
  const date = dayOfMonth(words, at) ?? compoundOrdinal(words, at);
  if (date !== undefined) return date;
  if (!isNumber(words, at) && words[at] !== "a" && words[at] !== "oh") return undefined;
  // Only whole runs are read: "five thirty" and "nine one one" are more than one number.
  return year(words, at) ?? digitRun(words, at) ?? counted(words, at);
}

/** The index after words that form no number together; after one word if there is no number. */
function behindRun(words: Words, at: number): number {
  let next = at;
  while (isNumber(words, next)) next += 1;
  return Math.max(next, at + 1);
}

/** "twenty twenty six", "nineteen eighty four", "nineteen oh five". */
function year(words: Words, at: number): Reading | undefined {
  const first = numberWord(words[at] ?? "");
  if (first === undefined || first.kind === "hundred" || first.value < 13 || first.value > 20) return undefined;
  const isOh = words[at + 1] === "oh";
  const second = belowHundred(words, isOh ? at + 2 : at + 1);
  if (second === undefined || (isOh ? second.value > 9 || second.value === 0 : second.value < 10)) return undefined;
  const following = numberWord(words[second.next] ?? "");
  if (following !== undefined || unitAt(words, second.next) !== undefined) return undefined;
  // "twenty ten" may be two numbers, unlike "twenty twenty six" and "nineteen eighty". Years of other centuries need a
  // word such as "in" before them.
  const isClear = first.value === 20 ? second.next > at + 2 : first.value >= 18;
  if (!isClear && !isAfterYearWord(words, at)) return undefined;
  return { written: String(first.value * 100 + second.value), next: second.next };
}

function isAfterYearWord(words: Words, at: number): boolean {
  const before = words[at - 1] ?? "";
  return beforeYears.has(before) || months.has(before) || (ordinalWord(before) !== undefined && isDateBefore(words, at - 1));
}

/** Whether the ordinal at `at` belongs to a month: "july fourth", "july twenty fourth". */
function isDateBefore(words: Words, at: number): boolean {
  return months.has(words[at - 1] ?? "") || (isNumber(words, at - 1) && months.has(words[at - 2] ?? ""));
}

/** At least four single digits, as in a telephone number, except counting ("one two three four"). */
function digitRun(words: Words, at: number): Reading | undefined {
  const { text, next } = digits(words, at);
  if (text.length < 4 || isNumber(words, next)) return undefined;
  if (words[at] === "oh" && text.length < 6) return undefined;
  if ("0123456789".includes(text) || "9876543210".includes(text)) return undefined;
  // In "one two point five", the last digit begins another number.
  return words[next] === "point" ? undefined : { written: text, next };
}

type Unit = { kind: "dollars" | "euros" | "percent"; next: number };

/** The unit of a number, if it is written with a sign. */
function unitAt(words: Words, at: number): Unit | undefined {
  const word = words[at];
  if (word === "dollars" || word === "dollar") return { kind: "dollars", next: at + 1 };
  if (word === "euros" || word === "euro") return { kind: "euros", next: at + 1 };
  if (word === "percent") return { kind: "percent", next: at + 1 };
  return word === "per" && words[at + 1] === "cent" ? { kind: "percent", next: at + 2 } : undefined;
}

/** A number with a unit or without: "$510", "5%", "2.5 million", "26". */
function counted(words: Words, at: number): Reading | undefined {
  // "half a million" is not a million.
  const number = words[at] === "a" && ["half", "of"].includes(words[at - 1] ?? "") ? undefined : cardinal(words, at);
  if (number === undefined) return undefined;
  const decimal = withDecimals(words, number);
  const unit = unitAt(words, decimal.next);
  if (unit !== undefined) return withUnit(words, decimal, unit);
  // It is part of several numbers, or of an ordinal or a fraction.
  if (isNumber(words, decimal.next) || ordinalWord(words[decimal.next] ?? "") !== undefined) return undefined;
  const isPlain = decimal.next === number.next;
  if (isPlain && (number.value < 10 || (words[at] === "a" && number.next === at + 2))) return undefined;
  return { written: decimal.text, next: decimal.next };
}

interface Decimal {
  text: string;
  next: number;
}

/** Adds digits after "point", and a scale after them: "one point five million". */
function withDecimals(words: Words, { value, next, scale }: Cardinal): Decimal {
  const behind = words[next] === "point" && scale === undefined ? digits(words, next + 1) : undefined;
  if (behind === undefined || behind.text === "") return { text: formatted(value, scale), next };
  const unit = numberWord(words[behind.next] ?? "");
  const text = `${grouped(value)}.${behind.text}`;
  if (unit?.kind !== "scale" || unit.value < 1e6) return { text, next: behind.next };
  return { text: `${text} ${words[behind.next]}`, next: behind.next + 1 };
}

function withUnit(words: Words, { text }: Decimal, unit: Unit): Reading {
  if (unit.kind === "percent") return { written: `${text}%`, next: unit.next };
  const sign = unit.kind === "euros" ? "€" : "$";
  if (unit.kind === "dollars" && words[unit.next] === "and" && /^[\d,]+$/.test(text)) {
    const cents = belowHundred(words, unit.next + 1);
    if (cents !== undefined && /^cents?$/.test(words[cents.next] ?? "")) {
      return { written: `${sign}${text}.${String(cents.value).padStart(2, "0")}`, next: cents.next + 1 };
    }
  }
  return { written: `${sign}${text}`, next: unit.next };
}

function formatted(value: number, scale: Cardinal["scale"]): string {
  return scale === undefined ? grouped(value) : `${grouped(value / scale.value)} ${scale.name}`;
}

/** Commas from five digits on: four digits may be a year. */
function grouped(value: number): string {
  return value < 10_000 ? String(value) : value.toLocaleString("en-US");
}

/** "july fourth", "july twenty fourth", "the fourth of july". */
function dayOfMonth(words: Words, at: number): Reading | undefined {
  const day = ordinalAt(words, at);
  if (day === undefined || day.value > 31) return undefined;
  const month = words[at - 1] ?? "";
  // "march second" and "may first" may have other meanings.
  const isAfter = months.has(month) && !(["march", "may"].includes(month) && day.value < 3);
  const isBefore = words[day.next] === "of" && months.has(words[day.next + 1] ?? "");
  return isAfter || isBefore ? { written: withEnding(day.value), next: day.next } : undefined;
}

/** "twenty first" in "the twenty first century", but not "twenty second", which may be a time. */
function compoundOrdinal(words: Words, at: number): Reading | undefined {
  const ordinal = ordinalAt(words, at);
  if (ordinal === undefined || ordinal.next === at + 1 || words[at + 1] === "second") return undefined;
  return isNumber(words, at - 1) ? undefined : { written: withEnding(ordinal.value), next: ordinal.next };
}

function ordinalAt(words: Words, at: number): { value: number; next: number } | undefined {
  const single = ordinalWord(words[at] ?? "");
  if (single !== undefined) return { value: single, next: at + 1 };
  const tens = numberWord(words[at] ?? "");
  const unit = ordinalWord(words[at + 1] ?? "");
  return tens?.kind === "tens" && unit !== undefined && unit < 10 ? { value: tens.value + unit, next: at + 2 } : undefined;
}

function withEnding(value: number): string {
  const ending = value % 100 > 10 && value % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${ending}`;
}
