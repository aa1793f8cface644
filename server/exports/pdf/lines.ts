import bidiFactory from "bidi-js";
import { pieces } from "#contract/exports/subtitles/units.ts";
import { append, largest } from "#contract/lists.ts";
import { withShortLetters } from "../short-letters.ts";
import { type Face, faceFor, missing, needsArabic } from "./fonts.ts";

/** A run of letters with one font and one direction. */
export interface Item {
  text: string;
  face: Face;
  /** Odd: from right to left. */
  level: number;
  width: number;
}

/** A line's items from left to right, whatever their reading direction. */
interface Line {
  items: Item[];
  width: number;
}

export interface Layout {
  lines: Line[];
  /** The line begins at the right. */
  rtl: boolean;
  /** The number of letters without a font. */
  missing: number;
}

interface Wanted {
  /** BCP 47; undefined: unknown. */
  language: string | undefined;
  /** Points. */
  width: number;
  /** In points; undefined if the font's library fails: it can't place every mark of every font. */
  measure(text: string, face: Face): number | undefined;
}

/** A character and the font that has it. */
interface Glyph {
  text: string;
  face: Face;
  level: number;
}

const bidi = bidiFactory();
/** The maximum columns of a line: a longer word is cut. */
const longestWord = 40;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A paragraph in lines, in the order in which its letters are drawn (UAX #9), each in a font that has it. */
export function layOut(text: string, wanted: Wanted): Layout {
  const parts = pieces(withShortLetters(text), wanted.language, longestWord);
  const whole = parts.map(({ text, spaced }, i) => (spaced && i > 0 ? ` ${text}` : text)).join("");
  const { levels, rtl } = directionsOf(whole);
  const { glyphs, missing } = glyphsOf(whole, levels);
  const lines: Line[] = [];
  // In characters, like glyphs.
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
  return { lines, rtl, missing };
}

/** Unicode's right-to-left blocks, and the characters that change the direction. */
const anyRtl = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/**
 * The number of characters whose directions are computed at once, up to a space: the time grows with their square, and
 * no sentence has more.
 */
const portion = 2_000;

/** The level of each letter (odd: from right to left), and whether the paragraph begins at the right. */
function directionsOf(text: string): { levels: Uint8Array; rtl: boolean } {
  const levels = new Uint8Array(text.length);
  if (!anyRtl.test(text)) return { levels, rtl: false };
  let rtl: boolean | undefined;
  for (let at = 0; at < text.length; ) {
    const space = at + portion < text.length ? text.lastIndexOf(" ", at + portion) : text.length;
    const end = space > at ? space : at + portion;
    const found = bidi.getEmbeddingLevels(text.slice(at, end), rtl === undefined ? "auto" : rtl ? "rtl" : "ltr");
    levels.set(found.levels, at);
    rtl ??= (found.paragraphs[0]?.level ?? 0) % 2 === 1;
    at = end;
  }
  return { levels, rtl: rtl ?? false };
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
    // Every character has a place, whatever is drawn for it.
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

/** Right-to-left text is drawn word by word: a font knows the order of a word's letters, but not of sentences. */
function itemsOf(glyphs: readonly Glyph[], { measure }: Wanted): Item[] {
  const runs: Glyph[] = [];
  for (const glyph of glyphs) {
    const last = runs.at(-1);
    const alone = glyph.level % 2 === 1 && (glyph.text === " " || last?.text === " ");
    if (last === undefined || alone || last.face !== glyph.face || last.level !== glyph.level) runs.push({ ...glyph });
    else last.text += glyph.text;
  }
  return runs.flatMap((run) => {
    const text = run.level % 2 === 1 && !rightToLeft.test(run.text) ? [...run.text].reverse().join("") : run.text;
    return drawable(text, (part) => measure(part, run.face)).map((part) => ({ ...run, ...part }));
  });
}

/** Splits a run that the font can't draw into letters, such a letter into characters, and omits such a character. */
function drawable(text: string, measure: (text: string) => number | undefined): Pick<Item, "text" | "width">[] {
  const width = measure(text);
  if (width !== undefined) return [{ text, width }];
  const letters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  const parts = letters.length > 1 ? letters : [...text];
  return parts.length > 1 ? parts.flatMap((part) => drawable(part, measure)) : [];
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
