import bidiFactory from "bidi-js";
import { pieces } from "#contract/exports/subtitles/units.ts";
import { append, largest } from "#contract/lists.ts";
import { type Face, faceFor, missing, needsArabic } from "./fonts.ts";

/** What is drawn in one go: letters of one font and one direction. */
export interface Item {
  text: string;
  face: Face;
  /** Odd: from right to left. */
  level: number;
  width: number;
}

/** A line's items from left to right, whatever they are read like. */
interface Line {
  items: Item[];
  width: number;
}

export interface Layout {
  lines: Line[];
  /** It begins at the right. */
  rtl: boolean;
  /** How many letters no font has. */
  missing: number;
}

interface Wanted {
  /** BCP 47; undefined: unknown. */
  language: string | undefined;
  /** Points. */
  width: number;
  measure(text: string, face: Face): number;
}

/** A character and the font that has it. */
interface Glyph {
  text: string;
  face: Face;
  level: number;
}

const bidi = bidiFactory();
/** More columns than these are in no line of a page: what is longer without a space is cut. */
const longestWord = 40;

/** A paragraph in lines, in the order in which its letters are drawn (UAX #9), each in a font that has it. */
export function layOut(text: string, wanted: Wanted): Layout {
  const parts = pieces(text, wanted.language, longestWord);
  const whole = parts.map(({ text, spaced }, i) => (spaced && i > 0 ? ` ${text}` : text)).join("");
  const { levels, paragraphs } = bidi.getEmbeddingLevels(whole);
  const { glyphs, missing } = glyphsOf(whole, levels);
  const lines: Line[] = [];
  // In characters, as glyphs are.
  let [at, begins, ends, width] = [0, 0, 0, 0];
  for (const [i, part] of parts.entries()) {
    const gap = part.spaced && i > 0 ? 1 : 0;
    const until = at + gap + [...part.text].length;
    const own = widthOf(glyphs.slice(at, until), wanted);
    if (ends > begins && width + own > wanted.width) {
      lines.push(lineOf(glyphs.slice(begins, ends), wanted));
      begins = at + gap;
      width = widthOf(glyphs.slice(begins, until), wanted);
    } else width += own;
    [at, ends] = [until, until];
  }
  if (ends > begins) lines.push(lineOf(glyphs.slice(begins, ends), wanted));
  return { lines, rtl: (paragraphs[0]?.level ?? 0) % 2 === 1, missing };
}

function glyphsOf(text: string, levels: Uint8Array): { glyphs: Glyph[]; missing: number } {
  const glyphs: Glyph[] = [];
  const isArabic = needsArabic(text);
  let [index, lacking] = [0, 0];
  for (const character of text) {
    const before = glyphs.at(-1)?.face;
    const level = levels[index] ?? 0;
    index += character.length;
    const face = faceFor(character, before, isArabic);
    if (face !== undefined) {
      const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(character) : null;
      glyphs.push({ text: mirrored ?? character, face, level });
      continue;
    }
    if (!/\p{Cf}|\p{Cc}|\p{Mn}/u.test(character)) lacking += 1;
    const instead = faceFor(missing, undefined);
    // Every character has its place, whatever is drawn of it.
    if (instead !== undefined)
      glyphs.push({ text: /\p{Cf}|\p{Cc}|\p{Mn}/u.test(character) ? "" : missing, face: instead, level });
  }
  return { glyphs, missing: lacking };
}

function widthOf(glyphs: readonly Glyph[], wanted: Wanted): number {
  return itemsOf(glyphs, wanted).reduce((sum, { width }) => sum + width, 0);
}

function lineOf(glyphs: readonly Glyph[], wanted: Wanted): Line {
  const items = visual(itemsOf(glyphs, wanted));
  return { items, width: items.reduce((sum, { width }) => sum + width, 0) };
}

/** What is read from right to left is drawn word by word: a font knows the order of a word's letters, and nothing of sentences. */
function itemsOf(glyphs: readonly Glyph[], { measure }: Wanted): Item[] {
  const runs: Glyph[] = [];
  for (const glyph of glyphs) {
    const last = runs.at(-1);
    const alone = glyph.level % 2 === 1 && (glyph.text === " " || last?.text === " ");
    if (last === undefined || alone || last.face !== glyph.face || last.level !== glyph.level) runs.push({ ...glyph });
    else last.text += glyph.text;
  }
  return runs.map((run) => {
    const text = run.level % 2 === 1 && !rightToLeft.test(run.text) ? [...run.text].reverse().join("") : run.text;
    return { ...run, text, width: measure(text, run.face) };
  });
}

/** Letters by which a font knows to draw from the right. */
const rightToLeft = /[\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]/u;

/** UAX #9, rule L2: from the highest level to the lowest odd one, each sequence at that level or above is reversed. */
function visual(items: readonly Item[]): Item[] {
  let ordered = [...items];
  const highest = Math.max(0, largest(items.map(({ level }) => level)));
  for (let level = highest; level >= 1; level--) {
    const next: Item[] = [];
    let sequence: Item[] = [];
    for (const item of ordered) {
      if (item.level >= level) sequence.push(item);
      else {
        append(next, sequence.reverse());
        next.push(item);
        sequence = [];
      }
    }
    ordered = next.concat(sequence.reverse());
  }
  return ordered;
}
