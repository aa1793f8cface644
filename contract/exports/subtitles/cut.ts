import { flicker, gap, type Limits, longest, shortest } from "./limits.ts";
import type { Unit } from "./units.ts";

/** Speech of one person in one language. A subtitle never extends beyond it. */
export interface Run {
  units: readonly RunUnit[];
  limits: Limits;
  /** When the next run begins (seconds); Infinity after the last. */
  nextStart: number;
  /**
   * The translation below it, one line of each. `until`: for each unit, the number of translated units finished with
   * it.
   */
  translation: { units: readonly Unit[]; until: readonly number[]; limits: Limits } | undefined;
  /** Most lines of a subtitle in one language. */
  lines: 1 | 2;
}

export interface RunUnit extends Unit {
  /** Whether it is the last of its segment. */
  closes: boolean;
  /** Whether it is a part of the speaker's name before the speech. */
  naming: boolean;
}

/** Units `from` to `to` (both included). */
export interface Range {
  from: number;
  to: number;
}

const sentenceEnd = /[.?!…。？！｡]["'”’»)\]」』]*$/u;
const clauseEnd = /[,;:，、；：–—]["'”’»)\]」』]*$/u;

/** Most units of a subtitle with two lines. */
const maxUnits = 60;

/**
 * Cuts speech into subtitles at the lowest cost: at the ends of sentences, then of clauses, and at pauses; not after a
 * short word, which belongs to the next; long enough to be read and seen, short enough for its lines. Finds the optimum
 * by dynamic programming.
 */
export function cut(run: Run): Range[] {
  const { units } = run;
  /** The least cost up to a unit, and the start of its last subtitle. */
  const best = [{ cost: 0, from: 0 }];
  for (let to = 0; to < units.length; to++) {
    let found = { cost: Number.POSITIVE_INFINITY, from: to };
    const shape = new Shape(run, to);
    for (let from = to; from >= Math.max(0, to - maxUnits); from--) {
      shape.prepend(from);
      // A single unit can't be shortened, so it is accepted at any cost.
      if (from < to && !shape.fits()) break;
      const cost = (best[from]?.cost ?? 0) + costOf(run, shape, from, to);
      if (cost < found.cost) found = { cost, from };
    }
    best.push(found);
  }
  const ranges: Range[] = [];
  for (let to = units.length - 1; to >= 0; ) {
    const from = best[to + 1]?.from ?? to;
    ranges.unshift({ from, to });
    to = from - 1;
  }
  return ranges;
}

/** A subtitle that grows at its front during the search. */
class Shape {
  width = 0;
  /** Columns to be read: the speaker's name is only seen. */
  read = 0;
  translated = 0;
  /** Columns of the units at its end that fit into one line. */
  #lastLine = 0;
  /** Whether no further unit fits into the last line. */
  #lastIsFull = false;
  /** Ends of segments and sentences, and pauses, inside the subtitle. */
  within = 0;

  readonly run: Run;
  readonly to: number;

  constructor(run: Run, to: number) {
    this.run = run;
    this.to = to;
  }

  prepend(from: number): void {
    const unit = this.run.units[from];
    if (unit === undefined) return;
    const joint = from < this.to && this.run.units[from + 1]?.spaced === true ? 1 : 0;
    this.width += unit.width + joint;
    if (!unit.naming) this.read += unit.width + joint;
    if (!this.#lastIsFull && this.#lastLine + unit.width + joint <= this.run.limits.line) this.#lastLine += unit.width + joint;
    else this.#lastIsFull = true;
    if (from < this.to && !unit.naming) this.within += insideCost(this.run, from);
    this.translated = translatedWidth(this.run, from, this.to);
  }

  /** Whether it fits into its lines. */
  fits(): boolean {
    const { limits, translation, lines } = this.run;
    if (translation === undefined) return this.width - (lines === 2 ? this.#lastLine : 0) <= limits.line;
    return this.width <= limits.line && this.translated <= translation.limits.line;
  }
}

function translatedWidth({ translation }: Run, from: number, to: number): number {
  if (translation === undefined) return 0;
  const first = from === 0 ? 0 : (translation.until[from - 1] ?? 0);
  const last = translation.until[to] ?? 0;
  let width = 0;
  for (let i = first; i < last; i++)
    width += (translation.units[i]?.width ?? 0) + (i > first && translation.units[i]?.spaced ? 1 : 0);
  return width;
}

/**
 * Cost of continuing a subtitle after a unit. It is higher than that of another subtitle, so that separate utterances
 * stay separate where possible.
 */
function insideCost({ units }: Run, index: number): number {
  const unit = units[index];
  const following = units[index + 1];
  if (unit === undefined || following === undefined) return 0;
  const pause = Math.max(0, following.start - unit.end);
  return (unit.closes ? 1.2 : 0) + (sentenceEnd.test(unit.text) ? 0.4 : 0) + (pause > flicker ? 2 * pause : 0);
}

function costOf(run: Run, shape: Shape, from: number, to: number): number {
  const { units, limits } = run;
  const first = units[from];
  const last = units[to];
  if (first === undefined || last === undefined) return 0;
  const nextStart = units[to + 1]?.start ?? run.nextStart;
  const spoken = last.end - first.start;
  // It may stay until the next subtitle.
  const room = Math.min(longest, Math.max(spoken, nextStart - gap - first.start));
  const speed = Math.max(shape.read / limits.speed, shape.translated / (run.translation?.limits.speed ?? limits.speed));
  const hurry = Math.max(0, speed / Math.max(room, 0.1) - 1);
  const flash = room < shortest - gap ? 0.5 + 4 * (shortest - room) : 0;
  const tooLong = from < to && spoken > longest ? 20 * (spoken - longest) : 0;
  const scrap = shape.width < 12 && !last.closes && !sentenceEnd.test(last.text) ? 0.6 : 0;
  return 1 + shape.within + endCost(run, to) + 3 * Math.min(hurry, 3) + flash + tooLong + scrap;
}

/** Cost of ending a subtitle after a unit. */
function endCost(run: Run, index: number): number {
  const unit = run.units[index];
  const following = run.units[index + 1];
  if (unit === undefined || following === undefined) return 0;
  if (unit.naming) return 50;
  const pause = Math.max(0, following.start - unit.end);
  const translated = run.translation?.units[(run.translation.until[index] ?? 0) - 1];
  const torn = translated === undefined ? 0 : tornCost(translated.text, false) / 2;
  return (unit.closes ? 0 : tornCost(unit.text, following.spaced)) / (1 + 4 * pause) + torn;
}

/** @param spaced whether the language has spaces; without spaces, a word of two letters is an ordinary word */
function tornCost(text: string, spaced: boolean): number {
  if (sentenceEnd.test(text)) return 0;
  if (clauseEnd.test(text)) return 0.4;
  return spaced && text.length <= 3 ? 2 : 1.5;
}

/**
 * Finds the unit that ends the first of two lines: preferably one with punctuation, and with a second line longer than
 * the first.
 * @param line columns of a line
 * @returns the unit's index; undefined where one line is enough
 */
export function lineBreak(units: readonly Unit[], line: number): number | undefined {
  const joint = (index: number) => (units[index]?.spaced === true ? 1 : 0);
  const total = units.reduce((sum, unit, i) => sum + unit.width + (i > 0 ? joint(i) : 0), 0);
  if (total <= line) return undefined;
  let first = 0;
  let found = { cost: Number.POSITIVE_INFINITY, at: 0 };
  for (let at = 0; at + 1 < units.length; at++) {
    first += (units[at]?.width ?? 0) + (at > 0 ? joint(at) : 0);
    const second = total - first - joint(at + 1);
    const over = Math.max(0, first - line) + Math.max(0, second - line);
    const slope = first > second ? 1.5 : 1;
    const text = units[at]?.text ?? "";
    const cost = 100 * over + (slope * Math.abs(first - second)) / line + tornCost(text, units[at + 1]?.spaced === true) / 2;
    if (cost < found.cost) found = { cost, at };
  }
  return found.at;
}
