import { type Labels, speakerName } from "#contract/exports/labels.ts";
import { type ExportContent, type ExportLook, oneLine, type Segment, type Transcription } from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import { cut, lineBreak, type Run, type RunUnit } from "./cut.ts";
import { flicker, gap, type Limits, limitsFor, longest, shortest, widthOf } from "./limits.ts";
import { type Said, translatedUnits, type Unit, unitsOf } from "./units.ts";

/** One subtitle; times in seconds. */
export interface Cue {
  start: number;
  end: number;
  /** At most two lines, each with its language where it differs from the transcription's. */
  lines: { text: string; language: string | undefined }[];
  /** Empty without a speaker. */
  speaker: string;
}

interface Options {
  labels: Labels;
  content: ExportContent;
  /** Whether the text contains the speaker's name where it changes. */
  names: boolean;
  /** Columns of a line, and most lines of a subtitle. */
  look: Pick<ExportLook, "lineLength" | "lines">;
}

/** A text in one language, divided into units. */
interface Divided {
  units: readonly Unit[];
  limits: Limits;
  /** The language stated in the format; undefined: the transcription's. */
  language: string | undefined;
}

/** The shown parts of a segment. */
interface Passage extends Divided {
  /** The translation below it. */
  below: Divided | undefined;
  speaker: string;
}

/** A subtitle with its reading time in seconds. */
type Draft = Cue & { reading: number };

/**
 * The subtitles of a transcription: at most two lines (with both languages, one of each). They are cut at sentences,
 * clauses and pauses, shown for 1 to 7 s, and long enough to be read where the speech allows it.
 */
export function cuesOf(transcription: Transcription, options: Options): Cue[] {
  const spoken = segmentsOf(transcription)
    .filter((segment) => oneLine(segment.text) !== "")
    .sort(byStart);
  const passages = spoken.map((segment) => passageOf(segment, transcription, options));
  // When people speak simultaneously, one may begin before the other's last subtitle.
  return withTimes(runsOf(passages, options).flatMap(draftsOf).sort(byStart));
}

const byStart = (a: { start: number }, b: { start: number }) => a.start - b.start;

/** Typed text has no times, so it is spread over the audio. */
function segmentsOf({ segments, text, translatedText, durationSeconds }: Transcription): readonly Segment[] {
  if (segments.some((segment) => oneLine(segment.text) !== "")) return segments;
  return [{ start: 0, end: durationSeconds ?? 0, text, translation: translatedText, words: [] }];
}

function passageOf(
  segment: Segment,
  { sourceLanguage, targetLanguage }: Transcription,
  { content, labels, look }: Options,
): Passage {
  const { start, end, words } = segment;
  const text = oneLine(segment.text);
  const spoken = segment.language ?? (sourceLanguage === "auto" ? undefined : sourceLanguage);
  const limits = limitsFor(spoken, look.lineLength);
  const needed = Math.max(shortest, widthOf(text) / limits.speed);
  const said: Said = { text, language: spoken, start, end: end > start ? end : start + needed, words };
  const speaker = speakerName(segment, labels);
  const original = { units: unitsOf(said, limits.line), limits, language: segment.language };
  const translated = oneLine(segment.translation ?? "");
  if (content === "original" || translated === "") return { ...original, below: undefined, speaker };
  const into = segment.translationLanguage ?? targetLanguage ?? undefined;
  const below = limitsFor(into, look.lineLength);
  const units = translatedUnits({ text: translated, language: into, original: said, line: below.line });
  const translation = { units, limits: below, language: segment.translationLanguage };
  return content === "both" ? { ...original, below: translation, speaker } : { ...translation, below: undefined, speaker };
}

/** A run with the language stated in the format. */
interface Spoken extends Pick<Passage, "speaker" | "language"> {
  run: Run & { units: RunUnit[] };
  below: string | undefined;
}

function runsOf(passages: readonly Passage[], { names, look }: Options): Spoken[] {
  const runs: Spoken[] = [];
  for (const { speaker, language, limits, below, ...passage } of passages) {
    const last = runs.at(-1);
    const start = passage.units[0]?.start ?? 0;
    const units = passage.units.map((unit, i, all) => ({ ...unit, closes: i === all.length - 1, naming: false }));
    const changes = last?.speaker !== speaker;
    const goesOn = !changes && last?.language === language && below === undefined && last?.run.translation === undefined;
    if (last !== undefined && goesOn) {
      append(last.run.units, units);
      continue;
    }
    if (last !== undefined) last.run.nextStart = start;
    const own = names && changes && speaker !== "" ? [...nameUnits(speaker, start, look.lineLength), ...units] : units;
    const translation = below === undefined ? undefined : { ...below, until: shares(below.units, own) };
    const run = { units: own, limits, nextStart: Number.POSITIVE_INFINITY, translation, lines: look.lines };
    runs.push({ run, speaker, language, below: below?.language });
  }
  return runs;
}

function nameUnits(name: string, at: number, columns: number): RunUnit[] {
  const own = { text: `${name}:`, language: undefined, start: at, end: at, words: [] };
  return unitsOf(own, limitsFor(undefined, columns).line).map((unit) => ({ ...unit, closes: false, naming: true }));
}

/** For each unit of the original, the number of translated units whose middle is before its end. */
function shares(translation: readonly Unit[], original: readonly RunUnit[]): number[] {
  let done = 0;
  return original.map((unit, i) => {
    const following = original[i + 1];
    if (following === undefined) return translation.length;
    if (unit.naming) return 0;
    const moment = (unit.end + following.start) / 2;
    while (done < translation.length && middleOf(translation[done]) <= moment) done += 1;
    return done;
  });
}

function middleOf(unit: Unit | undefined): number {
  return unit === undefined ? 0 : (unit.start + unit.end) / 2;
}

function draftsOf({ run, speaker, language, below }: Spoken): Draft[] {
  return cut(run).flatMap(({ from, to }) => {
    const units = run.units.slice(from, to + 1);
    const times = { start: units[0]?.start ?? 0, end: units.at(-1)?.end ?? 0 };
    const text = textOf(units);
    const reading = widthOf(text) / run.limits.speed;
    const { translation } = run;
    if (translation === undefined) {
      const lines = twoLines(units, run.limits.line).map((line) => ({ text: textOf(line), language }));
      return [{ ...times, lines, speaker, reading }];
    }
    const shown = translation.units.slice(from === 0 ? 0 : translation.until[from - 1], translation.until[to]);
    return bilingual(times, { text, language }, linesOf(shown, translation.limits.line)).map(({ lines, ...part }) => ({
      ...part,
      lines: lines.map((line, i) => (i === 0 ? line : { ...line, language: below })),
      speaker,
      // A reader of the translation does not read the original.
      reading: Math.max(reading, widthOf(lines[1]?.text ?? "") / translation.limits.speed),
    }));
  });
}

function twoLines(units: readonly Unit[], line: number): (readonly Unit[])[] {
  const at = lineBreak(units, line);
  return at === undefined ? [units] : [units.slice(0, at + 1), units.slice(at + 1)];
}

type Line = Cue["lines"][number];

/** If few words have a long translation, they are repeated with each of its lines. */
function bilingual({ start, end }: Pick<Cue, "start" | "end">, original: Line, translation: readonly (readonly Unit[])[]) {
  if (translation.length === 0) return [{ start, end, lines: [original] }];
  const share = (end - start) / translation.length;
  return translation.map((line, i) => ({
    start: start + share * i,
    end: start + share * (i + 1),
    lines: [original, { text: textOf(line), language: undefined }] as Line[],
  }));
}

function linesOf(units: readonly Unit[], line: number): Unit[][] {
  const lines: Unit[][] = [];
  let width = 0;
  for (const unit of units) {
    const wide = unit.width + (unit.spaced ? 1 : 0);
    const last = lines.at(-1);
    if (last !== undefined && width + wide <= line) {
      last.push(unit);
      width += wide;
    } else {
      lines.push([unit]);
      width = unit.width;
    }
  }
  return lines;
}

function textOf(units: readonly Unit[]): string {
  return units.map(({ text, spaced }, i) => (spaced && i > 0 ? ` ${text}` : text)).join("");
}

/** Extends each subtitle to its reading time, at most until the next one. */
function withTimes(drafts: readonly Draft[]): Cue[] {
  return drafts.map(({ reading, ...cue }, i) => {
    const { start, end } = cue;
    const next = drafts[i + 1]?.start ?? Number.POSITIVE_INFINITY;
    // Two people speak simultaneously: both subtitles are shown.
    if (next < start + flicker) return { ...cue, end: Math.max(end, start + flicker) };
    const wanted = Math.max(end, start + shortest, start + reading);
    const free = next - gap - start >= shortest ? next - gap : next;
    const until = next - wanted < flicker ? free : wanted;
    return { ...cue, end: Math.min(until, start + longest) };
  });
}
