import { numberWord } from "./words.ts";

/** A number read from words. */
export interface Cardinal {
  value: number;
  /** The index after its last word. */
  next: number;
  /** Set when it ends with "million" or more after a short number, as written in "5 million". */
  scale: { name: string; value: number } | undefined;
}

/** The words of a text in lower case; "" marks a comma or full stop between two words. */
export type Words = readonly string[];

interface Part {
  value: number;
  next: number;
}

/** A number below a hundred: "twenty six", "fifteen", "five". */
export function belowHundred(words: Words, at: number): Part | undefined {
  const first = numberWord(words[at] ?? "");
  if (first === undefined || first.kind === "hundred" || first.kind === "scale") return undefined;
  if (first.kind !== "tens") return { value: first.value, next: at + 1 };
  const second = numberWord(words[at + 1] ?? "");
  const isPair = second?.kind === "digit" && second.value > 0;
  return isPair ? { value: first.value + second.value, next: at + 2 } : { value: first.value, next: at + 1 };
}

/** A number before a scale: "five hundred and ten", "twelve hundred", "a hundred". */
function belowThousand(words: Words, at: number): Part | undefined {
  const isOne = words[at] === "a" && ["hundred", "thousand", "million", "billion"].includes(words[at + 1] ?? "");
  const first = isOne ? { value: 1, next: at + 1 } : belowHundred(words, at);
  if (first === undefined || words[first.next] !== "hundred") return first;
  // Nobody says "twenty hundred".
  if (first.value === 0 || (first.value > 9 && first.value % 10 === 0)) return first;
  const hundreds = { value: first.value * 100, next: first.next + 1 };
  const rest = addend(words, hundreds.next);
  return rest === undefined ? hundreds : { value: hundreds.value + rest.value, next: rest.next };
}

/** "and ten" or "ten" after hundreds or thousands, but not in "one hundred and two hundred". */
function addend(words: Words, at: number): Part | undefined {
  const isAnd = words[at] === "and";
  const rest = belowHundred(words, isAnd ? at + 1 : at);
  if (rest === undefined || rest.value === 0) return undefined;
  const following = numberWord(words[rest.next] ?? "");
  return following?.kind === "hundred" || (isAnd && following?.kind === "scale") ? undefined : rest;
}

/** Reads a spoken number: "two million three hundred thousand and six". */
export function cardinal(words: Words, from: number): Cardinal | undefined {
  let value = 0;
  let next = from;
  let smallest = Number.POSITIVE_INFINITY;
  let scale: Cardinal["scale"];
  for (;;) {
    const isFirst = next === from;
    const at = !isFirst && words[next] === "and" ? next + 1 : next;
    const group = at === next ? belowThousand(words, at) : addend(words, next);
    if (group === undefined || (!isFirst && group.value === 0)) break;
    const unit = numberWord(words[group.next] ?? "");
    if (unit?.kind === "scale" && unit.value < smallest && group.value > 0) {
      scale = isFirst && unit.value >= 1e6 ? { name: words[group.next] ?? "", value: unit.value } : undefined;
      value += group.value * unit.value;
      smallest = unit.value;
      next = group.next + 1;
      continue;
    }
    // The next number is not part of this one: "two thousand thousands".
    if (!isFirst && unit?.kind === "scale") break;
    scale = undefined;
    value += group.value;
    next = group.next;
    break;
  }
  return next === from ? undefined : { value, next, scale };
}

/** Single digits: "one four" after "three point". */
export function digits(words: Words, at: number): { text: string; next: number } {
  let [text, next] = ["", at];
  for (; next < words.length; next += 1) {
    const word = numberWord(words[next] === "oh" ? "zero" : (words[next] ?? ""));
    if (word?.kind !== "digit") break;
    text += word.value;
  }
  return { text, next };
}
