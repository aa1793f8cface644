const list = (text: string) => text.split(" ");

const small = new Map(list("zero one two three four five six seven eight nine").map((word, value) => [word, value]));
const teens = new Map(
  list("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen").map((word, at) => [word, at + 10]),
);
const tens = new Map(list("twenty thirty forty fifty sixty seventy eighty ninety").map((word, at) => [word, (at + 2) * 10]));
const scales = new Map([
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
]);

/** The kind of a number word: "five", "fifteen", "fifty", "hundred", "million". */
export type NumberWord = { kind: "digit" | "teen" | "tens" | "scale"; value: number } | { kind: "hundred" };

export function numberWord(word: string): NumberWord | undefined {
  const [digit, teen, ten, scale] = [small.get(word), teens.get(word), tens.get(word), scales.get(word)];
  if (digit !== undefined) return { kind: "digit", value: digit };
  if (teen !== undefined) return { kind: "teen", value: teen };
  if (ten !== undefined) return { kind: "tens", value: ten };
  if (scale !== undefined) return { kind: "scale", value: scale };
  return word === "hundred" ? { kind: "hundred" } : undefined;
}

const ordinals = new Map(
  list(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
  ).map((word, at) => [word, at + 1]),
);
ordinals.set("thirtieth", 30);

/** 5 for "fifth", 30 for "thirtieth"; undefined for any other word. */
export const ordinalWord = (word: string): number | undefined => ordinals.get(word);

export const months: ReadonlySet<string> = new Set(
  list("january february march april may june july august september october november december"),
);

/** Words before which a pair of tens is a year, even if it could be two numbers ("in twenty twenty"). */
export const beforeYears: ReadonlySet<string> = new Set(
  list("in since until till by before after during around circa early late of year from to"),
);
