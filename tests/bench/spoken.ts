import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";

const who = [
  "the old captain",
  "my younger sister",
  "a friend of the family",
  "the new teacher",
  "our neighbor",
  "the doctor from the village",
  "the train driver",
  "a group of students",
  "the woman at the desk",
  "the man with the dog",
  "the editor of the paper",
  "her father",
];
const did = [
  "walked slowly to",
  "drove all the way to",
  "sent a long letter to",
  "asked for help at",
  "spent the whole summer near",
  "found an open door at",
  "bought fresh bread at",
  "waited for an hour outside",
  "took a picture of",
  "told a story about",
  "remembered the road to",
  "looked for the key in",
];
const where = [
  "the quiet harbor",
  "the station",
  "the market in the old town",
  "the school by the river",
  "the house on the hill",
  "the hospital",
  "the city library",
  "the small garden",
  "the big hotel",
  "the white church",
  "the farm",
  "the office on the second floor",
];
const when = [
  "before the sun came up",
  "in the middle of the night",
  "on a cold winter morning",
  "after the rain had stopped",
  "during the first week of may",
  "when the shops were closed",
  "at half past seven",
  "while the children were asleep",
  "without saying a word",
  "because nobody else had time",
  "and came back the same day",
  "as the wind became stronger",
];
const asides = [
  "It was a good day for everyone.",
  "Nobody knew what would happen next.",
  "The answer came three days later.",
  "There was nothing more to say.",
  "People still talk about it today.",
  "We had coffee and talked about music.",
  "The price of the ticket was twenty five dollars.",
  "Please call me back when you have time.",
  "The weather report said it would be warm.",
  "I think we should leave early tomorrow.",
];

/** About four seconds of speech each; the same sentences every time. */
export function sentences(count: number): string[] {
  let seed = 7;
  // The linear congruential generator of C's classic rand(): any repeatable shuffle would do.
  const pick = (from: readonly string[]): string => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return from[Math.floor(seed / 65_536) % from.length] ?? "";
  };
  return Array.from({ length: count }, (_, at) => {
    if (at % 5 === 4) return pick(asides);
    const sentence = `${pick(who)} ${pick(did)} ${pick(where)} ${pick(when)}.`;
    return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  });
}

/** Speaks a text into a WAV file (16,000 Hz mono) with flite. */
export async function speak(text: string, path: string): Promise<void> {
  await writeFile(`${path}.txt`, text);
  await run("flite", ["-voice", "slt", "-f", `${path}.txt`, "-o", path]);
}

/** @returns the program's standard output */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ended with code ${code}.`);
  return output;
}

/** Lower-case words without punctuation. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}

export interface Alignment {
  /** The number of words to replace, remove or insert to turn one list into the other (Levenshtein). */
  errors: number;
  /** For each spoken word, the index of the recognised word aligned with it; undefined without one. */
  counterparts: (number | undefined)[];
}

export function align(heard: readonly string[], said: readonly string[]): Alignment {
  const width = said.length + 1;
  const costs = new Uint32Array((heard.length + 1) * width);
  const cost = (row: number, column: number) => costs[row * width + column] ?? 0;
  const replacing = (row: number, column: number) => cost(row - 1, column - 1) + (heard[row - 1] === said[column - 1] ? 0 : 1);
  for (let row = 0; row <= heard.length; row += 1) {
    for (let column = 0; column <= said.length; column += 1) {
      const isEdge = row === 0 || column === 0;
      costs[row * width + column] = isEdge
        ? row + column
        : Math.min(replacing(row, column), cost(row - 1, column) + 1, cost(row, column - 1) + 1);
    }
  }
  const counterparts: (number | undefined)[] = new Array(said.length).fill(undefined);
  let row = heard.length;
  let column = said.length;
  while (row > 0 && column > 0) {
    if (cost(row, column) === replacing(row, column)) {
      row -= 1;
      column -= 1;
      counterparts[column] = row;
    } else if (cost(row, column) === cost(row - 1, column) + 1) {
      row -= 1;
    } else {
      column -= 1;
    }
  }
  return { errors: cost(heard.length, said.length), counterparts };
}
